"""
The Elasticsearch store (extra [elasticsearch]).

Elasticsearch knows no transactions, so commits are ours. Every row carries the generation that added it; a manifest
document names the last committed generation, and readers see nothing newer. Rows are therefore sent as they come,
become visible in one step when the manifest is written, and are swept away by the next writer if it never is.
"""
