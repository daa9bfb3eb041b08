"""
The store of one machine: tantivy for the words, a vector file beside it, one commit for both.

There is one commit point. Every tantivy commit holds a *manifest*, a document that names the vector files that belong
to it; those are complete on disk before tantivy commits. What a killed writer leaves behind is named by no manifest
and is removed by the next writer.
"""
