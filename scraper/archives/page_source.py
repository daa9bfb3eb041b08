"""What `looksy crawl --from-warc` is given: a WARC, ARC or WACZ file, a saved page, or a folder of them."""

import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from core.errors import InputError
from scraper.archives.captures import Capture, UnreadableCaptureError
from scraper.archives.saved_files import PAGE_SUFFIXES, read_saved_file
from scraper.archives.warc import DamagedArchiveError, WarcPages
from scraper.extraction.saved_pages import gold_file, read_gold

MAX_MEMBERS = 100_000
"""Of a WACZ file."""
_ARCHIVE_ENDINGS = (".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz")
_GIVE = "Give a .warc, .warc.gz, .arc or .wacz file, a saved page, or a folder of them."


class PageSource:
    """
    Iterates over the pages of a file or folder, in the order of file names.

    :param path: A file, or a folder with all that is in it.
    :raises InputError: If there is nothing of the kind.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder = path if path.is_dir() else path.parent
        self.files = _files(path)
        self.skipped: Counter[str] = Counter()
        """Captures that cannot be used: reason code to count."""
        self.problems: list[str] = []
        """Files that could not be read to the end; sentences."""
        self._addresses = _addresses(path)

    def __iter__(self) -> Iterator[Capture]:
        """
        Yield the pages. What is wrong with one file is noted, and the next one is read.

        :raises InputError: If the only file cannot be read at all.
        """
        for file in self.files:
            yielded = False
            try:
                for capture in self._read(file):
                    yielded = True
                    yield capture
            except (DamagedArchiveError, zipfile.BadZipFile, OSError, EOFError, zlib.error, RuntimeError) as error:
                said = f"{file}: {error or type(error).__name__}"
                if len(self.files) == 1 and not yielded:
                    raise InputError(said, field="from_warc", hint=_GIVE) from error
                self.problems.append(said)

    def _read(self, file: Path) -> Iterator[Capture]:
        if file.suffix.lower() == ".wacz":
            yield from self._read_wacz(file)
        elif file.name.lower().endswith(_ARCHIVE_ENDINGS):
            with file.open("rb") as stream:
                yield from self._read_warc(stream)
        else:
            try:
                yield read_saved_file(file, folder=self.folder, url=self._addresses.get(file.name))
            except UnreadableCaptureError as error:
                self.skipped[error.reason] += 1

    def _read_wacz(self, file: Path) -> Iterator[Capture]:
        with zipfile.ZipFile(file) as bundle:
            members = bundle.infolist()
            if len(members) > MAX_MEMBERS:
                raise DamagedArchiveError(f"it holds {len(members):,} files; a WACZ file may hold {MAX_MEMBERS:,}")
            archives = [one for one in members if one.filename.lower().endswith(_ARCHIVE_ENDINGS)]
            if not archives:
                raise DamagedArchiveError("it holds no WARC file")
            for member in archives:
                if member.filename.lower().endswith(".wacz"):
                    self.problems.append(f"{file}: {member.filename} is a WACZ file inside of it; unpack it first")
                    continue
                try:
                    with bundle.open(member) as stream:
                        yield from self._read_warc(cast("BinaryIO", stream))
                except DamagedArchiveError as error:
                    if len(archives) == 1:
                        raise
                    self.problems.append(f"{file}, {member.filename}: {error}")

    def _read_warc(self, stream: BinaryIO) -> Iterator[Capture]:
        pages = WarcPages(stream)
        try:
            yield from pages
        finally:
            self.skipped.update(pages.skipped)


def _files(path: Path) -> list[Path]:
    if path.is_file():
        if path.name.lower().endswith(_ARCHIVE_ENDINGS) or _is_page(path):
            return [path]
        raise InputError(f"{path} is neither a web archive nor a saved page", field="from_warc", hint=_GIVE)
    if not path.is_dir():
        raise InputError(f"{path} is not there", field="from_warc", hint=_GIVE)
    found = [
        file
        for file in sorted(path.rglob("*"))
        if file.is_file() and not file.is_symlink() and (file.name.lower().endswith(_ARCHIVE_ENDINGS) or _is_page(file))
    ]
    if not found:
        raise InputError(f"{path} holds neither a web archive nor a saved page", field="from_warc", hint=_GIVE)
    return found


def _is_page(file: Path) -> bool:
    return Path(file.name.lower().removesuffix(".gz")).suffix in PAGE_SUFFIXES


def _addresses(path: Path) -> dict[str, str]:
    """Return the addresses of a folder's pages, where `gold.jsonl[.gz]` names them."""
    if not path.is_dir() or not gold_file(path).is_file():
        return {}
    return {page.file: page.url for page in read_gold(path)}
