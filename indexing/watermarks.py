"""How far each article file has been indexed."""

from pathlib import Path

from pydantic import ValidationError

from core.types import Model
from indexing.articles import Place

STATE_FILE = Path("state") / "indexed.json"


class _State(Model):
    """Places belong to one content of the store: with any other content, everything is read again."""

    snapshot_id: str
    places: dict[str, Place]


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

    def load(self, snapshot_id: str | None) -> None:
        """Read the places if they belong to this content of the store."""
        try:
            state = _State.model_validate_json(self._file.read_text())
        except (FileNotFoundError, ValidationError):
            return
        if state.snapshot_id == snapshot_id:
            self._places = dict(state.places)

    def save(self, snapshot_id: str) -> None:
        """Note the places together with the content of the store that they belong to."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        temporary = self._file.with_suffix(".tmp")
        temporary.write_text(_State(snapshot_id=snapshot_id, places=self._places).model_dump_json())
        temporary.replace(self._file)

    def get(self, file: Path) -> Place:
        """Return where to go on in a file; a compressed file or one that became shorter is read from the beginning."""
        place = self._places.get(self._name(file), Place())
        if place.offset > file.stat().st_size and not file.name.endswith(".gz"):
            return Place()
        return place

    def set(self, file: Path, place: Place) -> None:
        """Note a place."""
        self._places[self._name(file)] = place

    def _name(self, file: Path) -> str:
        return str(file.relative_to(self._data_dir) if file.is_relative_to(self._data_dir) else file.absolute())
