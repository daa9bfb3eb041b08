"""The parts of extraction: each file reads one thing out of a parsed page. `scraper.extract` puts them together."""
