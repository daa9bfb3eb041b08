"""The bytes of a sitemap as text, in pieces: gzip in gzip, any encoding, and the faults that XML parsers trip over."""

import codecs
import itertools
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from scraper.charsets import ascii_charset

MAX_DECOMPRESSED_BYTES = 128 * 1024 * 1024
MAX_LAYERS = 3
PIECE = 64 * 1024
_GZIP = b"\x1f\x8b"
_AUTO_HEADER = 31  # zlib: largest window, gzip header
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_RAW_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class RefusedSitemapError(ValueError):
    """The file is a trap, or larger than a sitemap may be; nothing of it is used."""


@dataclass
class SitemapText:
    """
    Decompresses and decodes a sitemap.

    :param content: The file as it was served.
    :param max_bytes: Most bytes after decompression.
    """

    content: bytes
    max_bytes: int = MAX_DECOMPRESSED_BYTES
    losses: list[str] = field(default_factory=list)
    """What could not be read; sentences."""

    def pieces(self) -> Iterator[str]:
        """
        Yield the text without byte-order mark.

        :raises RefusedSitemapError: If it is larger than `max_bytes` or wrapped too often; before the first piece.
        """
        if self.content.startswith(_GZIP):  # a bomb is refused before anything of it is used
            for _ in self._unwrapped():
                pass
            self.losses.clear()
        elif len(self.content) > self.max_bytes:
            raise RefusedSitemapError(self._too_large())
        chunks = self._unwrapped()
        first = next(chunks, b"")
        encoding, mark = sniff_encoding(first)
        decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        for chunk in itertools.chain([first[mark:]], chunks):
            yield decoder.decode(chunk)
        yield decoder.decode(b"", final=True)

    def _unwrapped(self) -> Iterator[bytes]:
        chunks = (self.content[at : at + PIECE] for at in range(0, len(self.content), PIECE))
        for _ in range(MAX_LAYERS + 1):
            first = next(chunks, b"")
            chunks = itertools.chain([first], chunks)  # type: ignore[assignment]
            if not first.startswith(_GZIP):
                yield from chunks
                return
            chunks = self._gunzip(chunks)  # type: ignore[assignment]
        raise RefusedSitemapError(f"gzip within gzip, more than {MAX_LAYERS} times")

    def _gunzip(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        inflater, total = zlib.decompressobj(_AUTO_HEADER), 0
        for chunk in chunks:
            data = chunk
            while data:
                try:
                    piece = inflater.decompress(data, PIECE)
                except zlib.error as error:
                    self.losses.append(f"the gzip data are damaged after {total} bytes ({error})")
                    return
                total += len(piece)
                if total > self.max_bytes:
                    raise RefusedSitemapError(self._too_large())
                if piece:
                    yield piece
                data = inflater.unconsumed_tail
                if inflater.eof:  # several members may follow each other; anything else after the end is padding
                    data = inflater.unused_data if inflater.unused_data.startswith(_GZIP) else b""
                    inflater = zlib.decompressobj(_AUTO_HEADER) if data else inflater
            if inflater.eof:
                return
        self.losses.append(f"the gzip data end early, after {total} bytes")

    def _too_large(self) -> str:
        return f"larger than {self.max_bytes // 2**20} MB"


def sniff_encoding(start: bytes) -> tuple[str, int]:
    """
    Tell a document's encoding from its first bytes.

    :returns: A codec that exists, and the length of the byte-order mark.
    """
    for mark, name in _BOMS:
        if start.startswith(mark):
            return name, len(mark)
    if start.startswith(b"<\x00"):
        return "utf-16-le", 0
    if start.startswith(b"\x00<"):
        return "utf-16-be", 0
    declared = _DECLARED.search(start[:1024])
    return (declared and ascii_charset(declared[1].decode())) or "utf-8", 0


def mend(text: str) -> str:
    """Escape ampersands that begin no reference XML knows, and drop characters that XML does not allow."""
    return _RAW_AMPERSAND.sub("&amp;", _NOT_XML.sub("", text))
