"""What the models learn from: one file a kind of data, each turning a pack's rows into examples."""
