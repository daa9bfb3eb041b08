"""
Questions whose articles have known sides: JSON lines with `id`, `text`, `perspectives`, optional `split`.

A perspective has `url`, of an article of the corpus, `stance` (yes, no or mixed; support and undermine are known too)
and optionally `cluster`: articles of one cluster say the same.
"""

from pathlib import Path

from core.types import Model
from evaluation.data.formats.lines import check_address, fail, read_objects, text_field
from pipelines.systems.perspectives.types import Stance

_NAMES = {stance.value: stance for stance in Stance} | {"support": Stance.YES, "undermine": Stance.NO}


class KnownPerspective(Model):
    """What one article says to the question."""

    url: str
    stance: Stance
    cluster: str = ""
    """Empty: not known."""


class PerspectiveRow(Model):
    """One question."""

    id: str
    text: str
    perspectives: tuple[KnownPerspective, ...]


def read_perspectives(path: Path, split: str | None = None) -> list[PerspectiveRow]:
    """
    Read a file.

    :param split: Only rows whose `split` this is; None: all.
    :raises InputError: For a malformed line or address, an unknown stance, or an id that stands twice.
    """
    rows: dict[str, PerspectiveRow] = {}
    for line, row in read_objects(path):
        name = text_field(row, "id", path=path, line=line)
        if name in rows:
            fail(path, line, f"id {name} stands twice")
        if split not in {None, row.get("split")}:
            continue
        given = row.get("perspectives")
        if not isinstance(given, list) or not given:
            fail(path, line, "perspectives is not a list with objects", hint='Write [{"url": ..., "stance": ...}].')
        rows[name] = PerspectiveRow(
            id=name,
            text=text_field(row, "text", path=path, line=line),
            perspectives=tuple(_perspective(one, path, line) for one in given),
        )
    if not rows:
        fail(path, 1, "no questions" + (f" of split {split}" if split else ""))
    return list(rows.values())


def _perspective(given: object, path: Path, line: int) -> KnownPerspective:
    if not isinstance(given, dict):
        fail(path, line, "a perspective is not an object")
    stance = text_field(given, "stance", path=path, line=line).lower()
    if stance not in _NAMES:
        fail(path, line, f"stance is {stance!r}", hint=f"Write one of: {', '.join(_NAMES)}.")
    url = text_field(given, "url", path=path, line=line)
    check_address(url, path=path, line=line)
    return KnownPerspective(
        url=url,
        stance=_NAMES[stance],
        cluster=text_field(given, "cluster", path=path, line=line, required=False),
    )
