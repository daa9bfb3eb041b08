"""
TREC topics, in three spellings.

- classic: `<top> <num> Number: 301 <title> International Organized Crime <desc> ... </top>`
- XML: `<topic number="1"><query>...</query>...</topic>` or `<title>` in place of `<query>`
- one a line: `301<tab>International Organized Crime`

In the first two `&amp;` and the like are read as what they stand for.
"""

import html
import re
from pathlib import Path

from evaluation.data.formats.lines import fail, read_lines

_TOPIC = re.compile(r"<top(?:ic)?\b([^>]*)>(.*?)</top(?:ic)?>", re.DOTALL | re.IGNORECASE)
_OPENING = re.compile(r"<top(?:ic)?\b", re.IGNORECASE)
_NUMBER_ATTRIBUTE = re.compile(r"""(?:number|id)\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)
_TITLE = re.compile(r"<(?:title|query)>\s*(?:Topic:)?\s*([^<]+)", re.IGNORECASE)
_TABBED = "Write: id<tab>text, or TREC <top> blocks."


def read_topics(path: Path) -> dict[str, str]:
    """
    Read topics.

    :returns: Query id to text, in the order of the file.
    :raises InputError: For a topic without number, title or end, a line without a tab, an id with a blank, or one that
        stands twice.
    """
    lines = list(read_lines(path))
    if any("<top" in line.lower() for _, line in lines):
        return _tagged(path, lines)
    topics: dict[str, str] = {}
    for number, line in lines:
        before, _, text = line.partition("\t")
        name = before.strip()
        if not text.strip():
            fail(path, number, "no tab, or no text behind it", hint=_TABBED)
        if len(name.split()) != 1:
            fail(path, number, f"the id before the tab is {name[:40]!r}, not one word", hint=_TABBED)
        if name in topics:
            fail(path, number, f"topic {name} stands twice")
        topics[name] = text.strip()
    return topics


def _tagged(path: Path, lines: list[tuple[int, str]]) -> dict[str, str]:
    text = "\n".join(line for _, line in lines)
    offsets = [number for number, _ in lines]
    topics: dict[str, str] = {}
    whole = {match.start(): match for match in _TOPIC.finditer(text)}
    for opening in _OPENING.finditer(text):
        line = offsets[text.count("\n", 0, opening.start())]
        match = whole.get(opening.start())
        if match is None:
            fail(path, line, "the end of this topic is missing, or of the one before", hint="Close each with </top>.")
        number = _NUMBER_ATTRIBUTE.search(match[1]) or _NUMBER.search(match[2])
        title = _TITLE.search(match[2])
        if number is None or title is None or not (words := html.unescape(title[1]).split()):
            fail(path, line, "a topic without number or title", hint="Each needs <num> and <title> (or <query>).")
        name = html.unescape(number[1])
        if name in topics:
            fail(path, line, f"topic {name} stands twice")
        topics[name] = " ".join(words)
    if not topics:
        fail(path, 1, "no <top>...</top> block")
    return topics
