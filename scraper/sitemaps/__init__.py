"""Sitemaps and feeds: read as they are, queued for a crawl, and their pages selected."""
