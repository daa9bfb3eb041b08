"""Extraction: `extract.py` turns a page into an article, each other file reads one thing out of the parsed page."""
