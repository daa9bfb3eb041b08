"""What to do about an index that cannot be used as it is."""

REBUILD_HINT = "Build it anew with 'looksy index --rebuild'; the articles are kept."
"""Of an index that can be read."""

UNREADABLE_HINT = (
    "Build it anew from the crawled articles with 'looksy index --rebuild'; give articles from elsewhere again, with "
    "--articles FILE."
)
"""Of an index that cannot be read, nor the articles in it."""
