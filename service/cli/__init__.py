"""The command line: one file per command. It validates, calls one function of the packages, and prints."""
