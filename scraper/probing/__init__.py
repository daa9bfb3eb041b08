"""Looks at a site before it is crawled, without a crawl: its robots.txt, its sitemaps, a first publisher file."""
