"""
Puts the parts of a page into the places where a browser shows them.

Servers stream the slow part of a page behind the rest, with a script that moves it into its place (React, Solid,
Turbo). Declarative shadow roots stand in `template` elements that a browser shows in place of their host's children.
"""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

_MOVE = re.compile(r"""\$R[CRXSV]\w?\(\s*["']([\w:.-]{1,80})["']\s*,\s*["']([\w:.-]{1,80})["']""")
_SWAP = re.compile(r"""\$df\(\s*["']([\w:.-]{1,80})["']\s*\)""")
_PLACE, _PART = re.compile(r"^(.{0,60})([BP]):([0-9a-f]+)$"), re.compile(r"^(.{0,60})S:([0-9a-f]+)$")
_BOUNDARY_END = "/$"
MAX_PARTS = 200


def has_streamed_parts(text: str) -> bool:
    """Say whether comments of a page mark where streamed parts go."""
    return "<template" in text and any(
        mark in text for mark in ('id="B:', "$RC(", "$RS(", "$RR(", "$df(", 'id="P:', ":B:", "data-bid=")
    )


def place_parts(tree: HtmlElement, *, has_comments: bool) -> None:
    """
    Move streamed parts, turbo streams and declarative shadow roots into their places.

    :param has_comments: Whether comments were kept, for the places that they mark; they are dropped.
    """
    templates = list(tree.iter("template"))
    if templates:
        for place, part in list(_pairs(tree))[:MAX_PARTS]:
            _replace(place, part)
        for stream in list(tree.iter("turbo-stream"))[:MAX_PARTS]:
            _apply_stream(tree, stream)
        for root in tree.xpath("//template[@shadowrootmode='open' or @shadowroot='open' or @shadowrootmode='closed']"):
            _show_shadow(root)
    if has_comments:
        _drop_comments(tree)


def _pairs(tree: HtmlElement) -> Iterator[tuple[HtmlElement, HtmlElement]]:
    """Yield each place and the part that goes there: as scripts and attributes say, else as the ids match."""
    ids = {element.get("id"): element for element in tree.iterfind(".//*[@id]")}
    named: list[tuple[str | None, str | None]] = []
    for script in tree.iter("script"):
        text = script.text or ""
        if "$R" in text:
            named += [tuple(match.groups()) for match in _MOVE.finditer(text)]  # type: ignore[misc]
        if "$df" in text:
            named += [(f"pl-{match[1]}", match[1]) for match in _SWAP.finditer(text)]
    named += [(t.get("data-bid"), t.get("data-sid")) for t in tree.iter("template") if t.get("data-bid")]
    named += _matching_ids([name for name in ids if name])
    done: set[int] = set()
    for first, second in named:
        place, part = ids.get(first or ""), ids.get(second or "")
        if place is not None and place.tag != "template" and part is not None and part.tag == "template":
            place, part = part, place  # $RS names the part first
        if place is None or part is None or place is part or id(part) in done or place in part.iter():
            continue
        done.add(id(part))
        yield place, part


def _matching_ids(names: list[str]) -> Iterator[tuple[str, str]]:
    parts = {(match[1], match[2]): name for name in names if (match := _PART.match(name))}
    for name in names:
        match = _PLACE.match(name)
        if match and (match[1], match[3]) in parts:
            yield name, parts[match[1], match[3]]


def _replace(place: HtmlElement, part: HtmlElement) -> None:
    """Put the content of a part where its place is, instead of what was shown while it was waited for."""
    parent = place.getparent()
    if parent is None or part.getparent() is None:
        return
    _drop_fallback(place)
    at = parent.index(place)
    _insert(parent, at, part)
    _drop(part)
    _drop(place)


def _insert(parent: HtmlElement, at: int, source: HtmlElement) -> None:
    """Move the children and text of an element into another one, before its child number `at`."""
    text, children = source.text or "", list(source)
    if text.strip():
        if at:
            before = parent[at - 1]
            before.tail = (before.tail or "") + text
        else:
            parent.text = (parent.text or "") + text
    for offset, child in enumerate(children):
        parent.insert(at + offset, child)


def _drop_fallback(place: HtmlElement) -> None:
    """Drop what stands between a place and the comment that ends its boundary."""
    behind = list(place.itersiblings())
    ends = (at for at, node in enumerate(behind) if not isinstance(node.tag, str) and _is_end(node, place))
    end = next(ends, None)
    if end is None:
        return
    place.tail = None
    depth = 0
    for node in behind[:end]:
        depth += 1  # noqa: SIM113 - counts levels, not turns
        parent = node.getparent()
        if parent is not None:
            parent.remove(node)  # with its tail: it is part of the fallback


def _is_end(comment: HtmlElement, place: HtmlElement) -> bool:
    text = (comment.text or "").strip()
    return text.startswith(_BOUNDARY_END) or text == (place.get("id") or "-")


def _apply_stream(tree: HtmlElement, stream: HtmlElement) -> None:
    """Do what a turbo stream says: replace, update, append to or prepend to its target."""
    content, action = stream.find("template"), stream.get("action", "")
    targets = [e for e in tree.iterfind(".//*[@id]") if e.get("id") == stream.get("target")]
    if content is None or not targets or action not in {"replace", "update", "append", "prepend", "before", "after"}:
        return
    target, parent = targets[0], targets[0].getparent()
    if action == "update":
        for child in list(target):
            target.remove(child)
        target.text = None
    if action in {"update", "append", "prepend"}:
        _insert(target, 0 if action == "prepend" else len(target), content)
    elif parent is not None:
        _insert(parent, parent.index(target) + (action == "after"), content)
        if action == "replace":
            _drop(target)
    _drop(stream)


def _show_shadow(root: HtmlElement) -> None:
    """Show a shadow root: its own content, with the host's children in its slots; children without a slot are not shown."""
    host = root.getparent()
    if host is None:
        return
    light = [child for child in host if child is not root and isinstance(child.tag, str)]
    loose = (host.text or "") + (root.tail or "")
    named: dict[str, list[HtmlElement]] = {}
    for child in light:
        named.setdefault(child.get("slot", ""), []).append(child)
    for child in [c for c in host if c is not root]:
        if isinstance(child.tag, str) and child.tag in {"script", "style"}:
            continue
        host.remove(child)
    host.text, root.tail = None, None
    for slot in list(root.iter("slot")):
        _fill(slot, named.pop(slot.get("name", ""), []), loose if not slot.get("name") else "")
    root.drop_tag()


def _fill(slot: HtmlElement, nodes: list[HtmlElement], loose: str) -> None:
    if nodes or loose.strip():
        for child in list(slot):
            slot.remove(child)
        slot.text = loose or None
        for node in nodes:
            slot.append(node)
    slot.drop_tag()


def _drop(element: HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()


def _drop_comments(tree: HtmlElement) -> None:
    for node in [node for node in tree.iter() if not isinstance(node.tag, str)]:
        _drop(node)
