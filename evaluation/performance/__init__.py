"""How fast and how frugal: crawl, retrieval, service and systems, each beside a named peer in the same run."""
