"""Reads one PDF or Word file from standard input and writes its text: a process of its own, with bounds."""

import io
import sys
import zipfile

MAX_PAGES = 1_000
MAX_UNPACKED = 200_000_000
"""Bytes that a Word file may unpack to."""
MAX_RATIO = 200
"""How many times larger than packed one part may be, from `RATIO_FROM` bytes on."""
RATIO_FROM = 5_000_000
MAX_CHARS = 2_000_000
MEMORY = 1_500_000_000
"""Bytes of address space."""


class UnreadableError(Exception):
    """A document that cannot be read; its words are for people."""


def pdf_text(data: bytes) -> str:
    """Return the text of a PDF, pages parted by blank lines."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data), strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise UnreadableError("it is encrypted; save it without a password")
    if len(reader.pages) > MAX_PAGES:
        raise UnreadableError(f"it has {len(reader.pages):,} pages; at most {MAX_PAGES:,} are read")
    found: list[str] = []
    size = 0
    for page in reader.pages:
        text = page.extract_text() or ""
        size += len(text)
        if size > MAX_CHARS:
            raise UnreadableError(f"it has more than {MAX_CHARS:,} characters")
        found.append(text.strip())
    return "\n\n".join(text for text in found if text)


def docx_text(data: bytes) -> str:
    """Return the text of a Word file: paragraphs and cells of tables, in their order."""
    _check_archive(data)
    from docx import Document
    from docx.table import Table

    found: list[str] = []
    for block in Document(io.BytesIO(data)).iter_inner_content():
        if isinstance(block, Table):
            found += [cell.text for row in block.rows for cell in row.cells]
        else:
            found.append(block.text)
    text = "\n\n".join(one.strip() for one in found if one.strip())
    if len(text) > MAX_CHARS:
        raise UnreadableError(f"it has more than {MAX_CHARS:,} characters")
    return text


def _check_archive(data: bytes) -> None:
    """Refuse what unpacks to more than a document does."""
    try:
        parts = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except zipfile.BadZipFile as error:
        raise UnreadableError("it is not a Word file of the kind docx, or it is damaged") from error
    if sum(part.file_size for part in parts) > MAX_UNPACKED:
        raise UnreadableError("it unpacks to more than a document should")
    for part in parts:
        if part.file_size > RATIO_FROM and part.file_size > MAX_RATIO * max(1, part.compress_size):
            raise UnreadableError("it unpacks to more than a document should")


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main() -> int:
    """Read standard input; the reason why it cannot be read goes to standard error."""
    _bound_memory()
    readers = {"pdf": pdf_text, "docx": docx_text}
    try:
        text = readers[sys.argv[1]](sys.stdin.buffer.read())
    except ImportError:
        sys.stderr.write("the extra [documents] is not installed; run pip install 'looksy[documents]'\n")
        return 1
    except UnreadableError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except MemoryError:
        sys.stderr.write("it needs more memory than a document should\n")
        return 1
    except Exception as error:  # the libraries raise their own classes, and what damaged files make them raise
        sys.stderr.write(f"it is damaged ({type(error).__name__})\n")
        return 1
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
