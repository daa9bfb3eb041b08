"""How far each article file has been indexed."""

import hashlib
from contextlib import suppress
from pathlib import Path

from pydantic import Field, ValidationError

from core.types import Model
from indexing.articles import Place, is_compressed

STATE_FILE = Path("state") / "indexed.json"
_Stamp = tuple[int, int]
"""Size in bytes and time of change in nanoseconds of a file."""
_TAIL_BYTES = 4096


class _State(Model):
    """Places belong to one content of the store: with any other content, everything is read again."""

    snapshot_id: str
    places: dict[str, Place]
    stamps: dict[str, _Stamp] = Field(default_factory=dict)
    """Of compressed files, when they were read."""
    tails: dict[str, str] = Field(default_factory=dict)
    """Of other files, SHA-256 of what stands before the place."""


class Watermarks:
    """
    Remembers places in files, so that a later job reads only what came after them.

    Losing them costs time and nothing else: articles that are indexed already are recognised by their hash.

    :param data_dir: The state is kept below it; files are named relative to it.
    """

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._file = data_dir / STATE_FILE
        self._places: dict[str, Place] = {}
        self._stamps: dict[str, _Stamp] = {}
        self._tails: dict[str, str] = {}
        self._moved: set[str] = set()

    def load(self, snapshot_id: str | None) -> None:
        """Read the places if they belong to this content of the store."""
        try:
            state = _State.model_validate_json(self._file.read_bytes())
        except (FileNotFoundError, ValidationError):
            return
        if state.snapshot_id == snapshot_id:
            self._places, self._stamps, self._tails = dict(state.places), dict(state.stamps), dict(state.tails)

    def save(self, snapshot_id: str) -> None:
        """Note the places together with the content of the store that they belong to."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._note_tails()
        temporary = self._file.with_suffix(".tmp")
        state = _State(snapshot_id=snapshot_id, places=self._places, stamps=self._stamps, tails=self._tails)
        temporary.write_text(state.model_dump_json())
        temporary.replace(self._file)

    def get(self, file: Path) -> Place:
        """Return where to go on in a file; a compressed one that changed, or one that was replaced, begins anew."""
        name = self._name(file)
        if is_compressed(file):
            facts = file.stat()
            stamp = (facts.st_size, facts.st_mtime_ns)
            if self._stamps.get(name) != stamp:
                self._places.pop(name, None)
                self._stamps[name] = stamp
            return self._places.get(name, Place())
        place = self._places.get(name, Place())
        is_same = place.offset <= file.stat().st_size and self._tails.get(name) in {None, _tail(file, place)}
        return place if is_same else Place()

    def set(self, file: Path, place: Place) -> None:
        """Note a place."""
        name = self._name(file)
        self._places[name] = place
        self._moved.add(name)

    def _note_tails(self) -> None:
        """Note what stands before the places that moved: it tells a file that grew from one that was replaced."""
        for name in self._moved:
            file = self._data_dir / name  # of an absolute name it is the file itself
            if not is_compressed(file):
                with suppress(OSError):  # removed meanwhile
                    self._tails[name] = _tail(file, self._places[name])
        self._moved.clear()

    def _name(self, file: Path) -> str:
        return str(file.relative_to(self._data_dir) if file.is_relative_to(self._data_dir) else file.absolute())


def _tail(file: Path, place: Place) -> str:
    """Hash the last bytes before a place."""
    with file.open("rb") as opened:
        opened.seek(max(0, place.offset - _TAIL_BYTES))
        return hashlib.sha256(opened.read(min(_TAIL_BYTES, place.offset))).hexdigest()
