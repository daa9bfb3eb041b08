"""Near copies of real sentences, true and false in the same wording: the generator and its readers."""
