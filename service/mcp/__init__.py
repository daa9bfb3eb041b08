"""
Looksy as tools of a language model: a server of the Model Context Protocol on standard input and output.

`server` and `stdio` need the extra [mcp]; `tools` does not.
"""
