"""Which of Python's codecs can be the character set of a file."""

import codecs


def ascii_charset(name: str) -> str | None:
    """
    Return Python's name of a character set that reads ASCII as ASCII, as the text that declares it was read.

    :returns: None: there is none of that name, or it is another kind of codec (`hex`, `idna`, `undefined`).
    """
    try:
        codec = codecs.lookup(name)
        reads_ascii = codec._is_text_encoding and codec.decode(b"<?xml", "replace")[0] == "<?xml"
    except (LookupError, ValueError):
        return None
    return codec.name if reads_ascii else None
