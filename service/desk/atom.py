"""Changes as an Atom feed (RFC 4287)."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from datetime import UTC, datetime

from service.desk.changes import Change

MEDIA_TYPE = "application/atom+xml"
_ATOM = "http://www.w3.org/2005/Atom"
_MAX_TITLE = 200


def atom_feed(changes: Sequence[Change], *, base: str) -> bytes:
    """
    Write changes as a feed.

    :param changes: The latest first.
    :param base: Address of the service, with a slash at its end.
    """
    ET.register_namespace("", _ATOM)
    feed = ET.Element(f"{{{_ATOM}}}feed")
    _add(feed, "title", "Looksy: checks to look at again")
    _add(feed, "id", f"{base}v1/changes.atom")
    _add(feed, "updated", _time(max((one.noted_at for one in changes), default=datetime.fromtimestamp(0, UTC))))
    _link(feed, "self", f"{base}v1/changes.atom")
    _link(feed, "alternate", f"{base}changes")
    _add(ET.SubElement(feed, f"{{{_ATOM}}}author"), "name", "Looksy")
    for change in changes:
        entry = ET.SubElement(feed, f"{{{_ATOM}}}entry")
        page = f"{base}changes/{change.change_id}"
        _add(entry, "title", f"{change.kind.value.replace('_', ' ').capitalize()}: {change.text[:_MAX_TITLE]}")
        _add(entry, "id", page)
        _add(entry, "updated", _time(change.noted_at))
        _add(entry, "summary", change.reason())
        _link(entry, "alternate", page)
    written: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return written


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, f"{{{_ATOM}}}{name}").text = _writable(text)


def _link(parent: ET.Element, relation: str, address: str) -> None:
    ET.SubElement(parent, f"{{{_ATOM}}}link", rel=relation, href=address)


def _writable(text: str) -> str:
    """Return a text without the characters that no XML document may hold."""
    return "".join(letter for letter in text if letter in "\t\n" or (letter >= " " and letter not in "\ufffe\uffff"))


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
