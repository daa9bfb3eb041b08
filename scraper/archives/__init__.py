"""Pages that were saved before, as a source of articles: WARC, ARC and WACZ files, and folders of saved pages."""
