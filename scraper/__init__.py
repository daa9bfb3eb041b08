"""News sitemaps to pages to articles: a Scrapy project."""
