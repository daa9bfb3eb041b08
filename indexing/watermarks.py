"""How far each article file has been indexed."""

from pathlib import Path

from pydantic import Field, ValidationError

from core.types import Model
from indexing.articles import Place

STATE_FILE = Path("state") / "indexed.json"
_Stamp = tuple[int, int]
"""Size in bytes and time of change in nanoseconds of a file."""


class _State(Model):
    """Places belong to one content of the store: with any other content, everything is read again."""

    snapshot_id: str
    places: dict[str, Place]
    stamps: dict[str, _Stamp] = Field(default_factory=dict)
    """Of compressed files, when they were read."""


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

    def load(self, snapshot_id: str | None) -> None:
        """Read the places if they belong to this content of the store."""
        try:
            state = _State.model_validate_json(self._file.read_text())
        except (FileNotFoundError, ValidationError):
            return
        if state.snapshot_id == snapshot_id:
            self._places, self._stamps = dict(state.places), dict(state.stamps)

    def save(self, snapshot_id: str) -> None:
        """Note the places together with the content of the store that they belong to."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        temporary = self._file.with_suffix(".tmp")
        state = _State(snapshot_id=snapshot_id, places=self._places, stamps=self._stamps)
        temporary.write_text(state.model_dump_json())
        temporary.replace(self._file)

    def get(self, file: Path) -> Place:
        """Return where to go on in a file; a compressed one that changed, or one that became shorter, begins anew."""
        name, facts = self._name(file), file.stat()
        if file.name.endswith(".gz"):
            stamp = (facts.st_size, facts.st_mtime_ns)
            if self._stamps.get(name) != stamp:
                self._places.pop(name, None)
                self._stamps[name] = stamp
        elif self._places.get(name, Place()).offset > facts.st_size:
            return Place()
        return self._places.get(name, Place())

    def set(self, file: Path, place: Place) -> None:
        """Note a place."""
        self._places[self._name(file)] = place

    def _name(self, file: Path) -> str:
        return str(file.relative_to(self._data_dir) if file.is_relative_to(self._data_dir) else file.absolute())
