"""Pages that others saved: WARC, ARC and WACZ files, and folders of HTML and MHTML files, within bounds."""
