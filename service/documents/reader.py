"""
A document's text: plain text, Markdown, HTML, PDF, Word.

PDF and Word files are read in a process of their own with bounded memory and time. Nothing in a document is run:
macros, scripts and fields are not looked at, and nothing is fetched.
"""

import subprocess
import sys
import unicodedata
from pathlib import Path

from core.errors import InputError
from core.types import Model, Notice

MAX_BYTES = 20_000_000
"""Of a file."""
SECONDS = 60
"""To read a PDF or Word file."""
_PLAIN = frozenset({".txt", ".md", ".markdown", ".text", ""})
_HTML = frozenset({".html", ".htm", ".xhtml"})
_PROCESSED = {".pdf": "pdf", ".docx": "docx", ".docm": "docx"}
KINDS = "txt, md, html, pdf, docx"
_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_TURNED = Notice(
    code="direction_marks",
    message="The text holds marks that turn the direction of writing; it may look other than it reads.",
)


class Document(Model):
    """A document as text."""

    text: str
    title: str = ""
    """Of the file or page."""
    warnings: tuple[Notice, ...] = ()


def read_document(path: Path) -> Document:
    """
    Read a file as its ending says.

    :raises InputError: If it is not there, too large, of another kind, damaged, encrypted, or holds no text.
    """
    data = _bytes(path)
    kind = path.suffix.lower()
    if kind in _PROCESSED:
        text = _in_process(path, _PROCESSED[kind], data)
        warnings = (_macros(),) if kind == ".docm" else ()
        return _document(path, text, warnings=warnings)
    if kind in _HTML:
        return _document(path, html_text_of(data))
    if kind in _PLAIN:
        return _document(path, decode(data, name=path.name))
    raise InputError(f"{path.name} is a {kind} file; {KINDS} are read", field="file", hint="Save it as one of these.")


def decode(data: bytes, *, name: str) -> str:
    """
    Return bytes as text: UTF-8, UTF-16 with its mark, or Windows-1252.

    :raises InputError: If it is not text.
    """
    for encoding in ("utf-16",) if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        controls = sum(
            unicodedata.category(character) == "Cc" for character in text[:4000] if character not in "\n\r\t\f"
        )
        if controls == 0:
            return text
    raise InputError(f"{name} is not text", field="file", hint=f"{KINDS} are read; save it as one of these.")


def html_text_of(data: bytes) -> str:
    """Return the running text of an HTML page: its main part, or all of it where none can be told."""
    import trafilatura

    text = trafilatura.extract(data, include_comments=False, include_tables=True, favor_recall=True)
    return text or ""


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder", field="file", hint="Give a file.")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputError(
                f"{path.name} has {size:,} bytes; at most {MAX_BYTES:,} are read", field="file", hint="Give its parts."
            )
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", field="file", hint="Check the name.") from error


def _in_process(path: Path, kind: str, data: bytes) -> str:
    """Read a PDF or Word file in a process that may take neither more time nor more memory than it should."""
    command = [sys.executable, "-m", "service.documents.process", kind]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=SECONDS, check=False)  # noqa: S603 - our own module
    except subprocess.TimeoutExpired as error:
        message = f"{path.name} took longer than {SECONDS} s to read"
        raise InputError(message, field="file", hint="Save its text as txt, and give that.") from error
    text = done.stdout.decode("utf-8", errors="replace")
    if done.returncode == 0:
        return text
    reason = done.stderr.decode("utf-8", errors="replace").strip().splitlines()[-1:] or ["it used too much memory"]
    raise InputError(f"{path.name} cannot be read: {reason[0][:300]}", field="file", hint="Save its text as txt.")


def _document(path: Path, text: str, *, warnings: tuple[Notice, ...] = ()) -> Document:
    if not any(character.isalpha() for character in text):
        raise InputError(
            f"{path.name} holds no text",
            field="file",
            hint="A scanned page is a picture: run text recognition on it first.",
        )
    turned = (_TURNED,) if _TURNS & set(text) else ()
    return Document(text=text, title=path.name, warnings=(*warnings, *turned))


def _macros() -> Notice:
    return Notice(code="macros_ignored", message="The document may hold macros; they were not run, nor read.")
