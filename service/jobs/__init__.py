"""Long work: crawl and index in processes of their own, batches of queries in a thread of the service."""
