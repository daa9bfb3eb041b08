"""What a run comes to: one report as JSON, Markdown and a self-contained HTML page; TREC run files and LaTeX tables."""
