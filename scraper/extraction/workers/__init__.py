"""Extraction in processes of its own, so that no page can stall or break a crawl."""
