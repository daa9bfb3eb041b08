"""What the shipped evidence model is worth: `looksy models measure`. Needs the data packs, not torch."""
