"""Edits of facts: numbers, units, dates, names, places, roles, scores, and who said it."""

import re
from collections.abc import Iterator

from evaluation.benchmarks.near_copies.source import DAYS, FALSE, MONTHS, OPEN, Draw, Edit, put

GIVEN = {
    "m": "John Michael Andrew Robert James Paul David Kevin Tony Tom Richard Mark Peter George Daniel Thomas Martin Simon Anthony Steve "
    "Chris Gary Alex Jeff William Stephen Brian Charles Edward Henry Joseph Francis Albert Arthur Frank Walter Louis Frederick Alexander".split(),
    "f": "Nancy Elizabeth Angela Hillary Jennifer Sarah Kathy Mary Anne Margaret Jane Susan Catherine Helen Laura Emma Julia Alice Ruth".split(),
}  # fmt: skip
_SEX = {name: sex for sex, names in GIVEN.items() for name in names}
PERSON = re.compile(
    rf"\b(?P<given>{'|'.join(_SEX)}) (?P<last>(?:[A-Z]\. )?(?:Mc|Mac|O'|De)?[A-Z][a-z]{{2,}})\b(?! [A-Z])"
)
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
_BOUND = r"(?:least|than|to|nearly|about|around|approximately|roughly|under|almost|some|over|estimated|magnitude|Article|Section|Flight|No\.|number|between|and|or|from|of|age|aged|Room|Route|Highway|version|chapter)"
_NUMBER = re.compile(
    rf"(?<![\w.,–-])(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d+\.\d+|\d+|{'|'.join(_SMALL[2:])})(?= (?:million |billion )?(?:percent|per cent|[a-z]{{3,}}))(?! (?:of|or|and|to|degrees)\b)"
)
_BEFORE_BOUND = re.compile(rf"\b(?i:{_BOUND}) $|[A-Z]\w+ $|\bthan [a-z ]*$")
_YEAR = re.compile(r"\b(?:in|since|until) (?:[A-Z][a-z]+ )?(?P<year>1[5-9]\d\d|20[0-2]\d)\b")
_LAST_YEAR = re.compile(r"\b(?P<when>last year)\b")
_DAY = re.compile(rf"\b(?:on|On) (?P<day>{'|'.join(DAYS)})\b")
_MONTH = re.compile(rf"\b(?:in|In|since|until) (?P<month>{'|'.join(MONTHS)})\b(?! (?:of|and))")
_DATE = re.compile(rf"\b(?P<month>{'|'.join(MONTHS)}) (?P<day>[12]?\d|3[01])\b(?!,?\d)")
_UNITS = (
    ("dollars", "euros"), ("euros", "dollars"), ("pounds", "euros"), ("miles", "kilometres"), ("kilometers", "miles"), ("kilometres", "miles"),
    ("km", "miles"), ("million", "billion"), ("billion", "million"), ("hours", "minutes"), ("minutes", "hours"), ("years", "months"),
    ("months", "years"), ("weeks", "months"), ("days", "weeks"), ("metres", "feet"), ("meters", "feet"), ("feet", "metres"),
    ("tonnes", "kilograms"), ("tons", "kilograms"), ("acres", "square miles"), ("m", "km"),
)  # fmt: skip
_PLACES = (
    "Afghanistan Argentina Australia Austria Bangladesh Belgium Brazil Bulgaria Canada Chile China Colombia Croatia Cuba Denmark Ecuador Egypt "
    "Finland France Germany Ghana Greece Hungary Iceland India Indonesia Iran Iraq Ireland Israel Italy Japan Kenya Kuwait Lebanon Libya Malaysia "
    "Mexico Morocco Nepal Nigeria Norway Pakistan Peru Poland Portugal Romania Russia Scotland Somalia Spain Sudan Sweden Switzerland Syria "
    "Thailand Tunisia Turkey Uganda Ukraine Venezuela Vietnam Wales Yemen Zimbabwe London Paris Berlin Madrid Rome Vienna Moscow Tokyo Beijing "
    "Cairo Baghdad Tehran Athens Dublin Sydney Melbourne Toronto Chicago Boston Denver Houston Seattle Mumbai Bangkok Jakarta Nairobi Lagos Istanbul"
).split()
_COUNTRIES = _PLACES[: _PLACES.index("London")]
_PLACE = re.compile(rf"\b(?:in|In|from|near|at|to) (?P<place>{'|'.join(_PLACES)})\b(?!['’]| [A-Z]|-|, [A-Z])")
_NOUN = r"(?:The |the )?(?:[A-Z][\w'’.-]+)(?: (?:of (?:the )?)?[A-Z][\w'’.-]+){0,3}"
_DEEDS = (
    "defeated|beat|sued|accused|criticised|criticized|bought|acquired|invaded|succeeded|replaced|attacked|shot|killed|conquered|colonised|"
    "colonized|annexed|occupied|founded|married|appointed|dismissed|arrested|influenced|outsold|preceded|captured|overthrew|inspired|besieged|"
    "supplied|funded|sponsored|told|blamed|urged|helped|supported|rejected|banned|visited|followed|led|backed|opposed|controlled|employed|asked|attacked|chased|hit|struck|rescued|sentenced|charged|elected|owned|condemned|sent|taught|hired|praised|warned|thanked|commissioned|ceded|sold|granted|recognised|recognized|challenged|outnumbered"
)
_REST = (
    r" (?:in|on|at|after|with|during|to|before|from|over|as|when|while|near|because|last|yesterday|today|who|that)\b"
)
_BEGIN = r"(?:^|, (?:and |but )?|\b(?:that|when|after|because|while|said|before|where|and|but) )"
_TAIL = rf"(?P<rest>(?:{_REST}[^,;.]*)?)(?<!\\b[A-Z])(?<!Jr)(?<!an end)(?=[,;.])"
_NO_PARTY = (
    "When",
    "In ",
    "On ",
    "At ",
    "After",
    "As ",
    "His ",
    "Her ",
    "his ",
    "her ",
    "its ",
    "Its ",
    "their ",
    "Their ",
    "By ",
    "It ",
    "He ",
    "She ",
    "They ",
    "This ",
    "For ",
    "The first",
    "the first",
    "Their arrival",
    "The calls",
    "U.",
)
_THING = r"(?:The|the|A|a|An|an|His|his|Her|her|Its|its|Their|their) (?:(?!and|had|that|who|of|in)[a-z-]+ ){0,2}(?!and|had)[a-z-]{3,}"
_PARTY = rf"(?:{_NOUN}|{_THING}|[Pp]olice|[Oo]fficials|[Pp]rotesters)"
_THAN = re.compile(
    rf"{_BEGIN}(?P<one>{_PARTY}) (?P<is>is|are|was|were|has|have|had) (?P<more>[a-z]+er|more [a-z]+|less [a-z]+|fewer [a-z]+) than (?P<two>{_PARTY}){_TAIL}"
)
_ACTIVE = re.compile(rf"{_BEGIN}(?P<one>{_PARTY}) (?P<deed>{_DEEDS}) (?P<two>{_PARTY}){_TAIL}")
_PASSIVE = re.compile(
    rf"{_BEGIN}(?P<one>{_PARTY}) (?P<be>was|were) (?:[a-z]+ly )?(?P<deed>{_DEEDS}|beaten) by (?P<two>{_PARTY}){_TAIL}"
)
_LOWERED = frozenset("The A An His Her Its Their Police Officials Protesters".split())
_ONE_VOICE = frozenset({"beat", "overthrew", "sold", "ceded", "granted", "sent", "told", "asked", "beaten"})
_SCORE = re.compile(r"\b(?P<a>\d{1,3})(?P<dash>[-–]| to | votes to )(?P<b>\d{1,3})\b(?![\d-])")
_SAID = re.compile(r"\bsaid(?: on \w+day)? that\b|\bsaid(?= (?:the|it|he|she|they|there)\b)")
_CLAIMS = re.compile(
    r"^(?P<who>[A-Z][^,;]{2,60}?) (?P<verb>claims|claimed|alleged|alleges|argued|believes|suggested) (?:that )?(?P<what>[a-z][^;]{20,})$"
)
_ALLEGEDLY = re.compile(r"\b(?P<word>allegedly|reportedly|apparently|possibly|probably) ")
_TRAILING = re.compile(r", (?P<who>(?:[A-Z][\w'.]+|the [a-z ]{3,30}|police|officials)(?: [A-Z][\w'.]+){0,3}) said\.$")


def fact_edits(draw: Draw) -> Iterator[Edit]:
    """Yield the edits of a sentence's facts."""
    yield from _numbers(draw)
    yield from _units(draw)
    yield from _dates(draw)
    yield from _names(draw)
    yield from _places(draw)
    yield from _roles(draw)
    if (
        (match := _SCORE.search(draw.text))
        and match["a"] != match["b"]
        and not re.search(r"[\d-]$", draw.text[: match.start()])
    ):
        yield Edit("result", draw.text, put(draw.text, match, f"{match['b']}{match['dash']}{match['a']}"))
    yield from _attributions(draw)


def _numbers(draw: Draw) -> Iterator[Edit]:
    found = [one for one in _NUMBER.finditer(draw.text) if not _BEFORE_BOUND.search(draw.text[: one.start()])]
    if not found:
        return
    match = draw.rng.choice(found)
    written = match["number"]
    value = _SMALL.index(written) if written in _SMALL else float(written.replace(",", ""))
    if 1500 <= value <= 2100 and "," not in written:
        return
    other = _other(value, written, draw)
    if not other or draw.source.has(other):
        return
    true = written
    if draw.rng.random() < 0.5 and value == int(value) and 2 <= value <= 20:
        true = str(int(value)) if written in _SMALL else _SMALL[int(value)]
    elif draw.rng.random() < 0.5 and value >= 1000 and round(value, -2) != value and "." not in written:
        true = f"about {int(round(value, 2 - len(str(int(value))))):,}"
    yield Edit("number", _at_start(put(draw.text, match, true)), _at_start(put(draw.text, match, other)))


def _other(value: float, written: str, draw: Draw) -> str:
    if value <= 20:
        step = draw.rng.choice([2, 3, 4, 5])
        new = value + step if value - step < 2 or draw.rng.random() < 0.5 else value - step
    else:
        new = value * draw.rng.choice([0.6, 0.7, 0.8, 1.3, 1.5, 1.8])
    if "." in written:
        return f"{new:.{len(written.split('.')[1])}f}"
    zeros = len(written.replace(",", "")) - len(written.replace(",", "").rstrip("0")) if written[0].isdigit() else 0
    whole = int(round(new, -zeros)) if zeros else int(new)
    if written in _SMALL and whole < len(_SMALL):
        return _SMALL[whole]
    return f"{whole:,}" if "," in written else str(whole)


def _at_start(text: str) -> str:
    return text[0].upper() + text[1:]


def _units(draw: Draw) -> Iterator[Edit]:
    for unit, other in _UNITS:
        match = re.search(rf"\d (?P<unit>{unit})\b(?! (?:old|of age|ago))", draw.text)
        if match and not re.search(rf"\b{other}\b", draw.text):
            yield Edit("unit", draw.text, put(draw.text, match, other, "unit"))
            return


def _dates(draw: Draw) -> Iterator[Edit]:
    source, rng = draw.source, draw.rng
    if match := _YEAR.search(draw.text):
        other = str(int(match["year"]) - rng.choice([2, 3, 4, 5, 7]))
        if not source.has(other):
            yield Edit("date", draw.text, put(draw.text, match, other, "year"))
    if source.year and (match := _LAST_YEAR.search(draw.text)):
        true, false = (f"in {source.year - back}" for back in (1, 3))
        if not source.has(str(source.year - 3)):
            yield Edit("date", put(draw.text, match, true), put(draw.text, match, false))
    for pattern, names in ((_DAY, DAYS), (_MONTH, MONTHS), (_DATE, MONTHS)):
        group = "day" if pattern is _DAY else "month"
        if match := pattern.search(draw.text):
            other = rng.choice([one for one in names if one != match[group]])
            if not source.has(other):
                yield Edit("date", draw.text, put(draw.text, match, other, group))
    if (match := _DATE.search(draw.text)) and source.year:
        day = int(match["day"])
        other = str(day + 6 if day < 15 else day - 6)
        if not source.has(f"{match['month']} {other}"):
            yield Edit("date", draw.text, put(draw.text, match, other, "day"))


def _names(draw: Draw) -> Iterator[Edit]:
    match = PERSON.search(draw.text)
    if match:
        pool = [one for one in GIVEN[_SEX[match["given"]]] if one[0] != match["given"][0] and not draw.source.has(one)]
        yield Edit("namesake", draw.text, put(draw.text, match, draw.rng.choice(pool), "given"))
        strangers = [
            one
            for one in draw.others
            if not draw.source.has(one.split()[-1]) and _SEX[one.split()[0]] == _SEX[match["given"]]
        ]
        if strangers:
            yield Edit("name", draw.text, put(draw.text, match, draw.rng.choice(strangers)))
        return
    for person in draw.source.people:
        last = person.split()[-1]
        match = re.search(rf"(?<![A-Z][a-z] )(?<!\w )\b{last}\b(?!['’-]| [A-Z])", draw.text)
        if match and sum(one.endswith(f" {last}") for one in draw.source.people) == 1 and _SEX.get(person.split()[0]):
            pool = [one for one in GIVEN[_SEX[person.split()[0]]] if one[0] != person[0] and not draw.source.has(one)]
            false = f"{draw.rng.choice(pool)} {last}"
            yield Edit("namesake", put(draw.text, match, person), put(draw.text, match, false))
            return


def _places(draw: Draw) -> Iterator[Edit]:
    if match := _PLACE.search(draw.text):
        is_country = match["place"] in _COUNTRIES
        pool = [
            one for one in (_COUNTRIES if is_country else _PLACES[len(_COUNTRIES) :]) if not draw.source.has(one[:4])
        ]
        pool = [one for one in pool if not draw.source.has(one)]
        yield Edit("place", draw.text, put(draw.text, match, draw.rng.choice(pool), "place"))


def _roles(draw: Draw) -> Iterator[Edit]:
    """Yield a clause with doer and other party exchanged; half of the true ones have the other voice."""
    for pattern in (_THAN, _ACTIVE, _PASSIVE):
        match = pattern.search(draw.text)
        if (
            match is None
            or match["one"].split()[-1] == match["two"].split()[-1]
            or f"{match['one']} ".startswith(_NO_PARTY)
        ):
            continue
        one, two, rest = match["one"], match["two"], match["rest"]
        turn = draw.rng.random() < 0.5
        if pattern is _THAN:
            middle = f"{match['is']} {match['more']} than"
            yield Edit("role", _clause(one, middle, two, rest), _clause(two, middle, one, rest))
            return
        deed = match["deed"]
        was, did = f"{_be(two, match)} {deed} by", deed
        can_turn = deed not in _ONE_VOICE
        if pattern is _ACTIVE:
            passive = turn and can_turn
            true = _clause(two, was, one, rest) if passive else _clause(one, did, two, rest)
            false = _clause(one, f"{_be(one, match)} {deed} by", two, rest) if passive else _clause(two, did, one, rest)
        else:
            active = turn and can_turn
            true = _clause(two, did, one, rest) if active else _clause(one, was, two, rest)
            false = _clause(one, did, two, rest) if active else _clause(two, was, one, rest)
        yield Edit("role", true, false)
        return


def _be(party: str, match: re.Match[str]) -> str:
    """Return the form of be that a party takes."""
    return match.groupdict().get("be") or (
        "were" if party.rsplit(maxsplit=1)[-1].endswith("s") or party.lower() == "police" else "was"
    )


def _clause(one: str, middle: str, two: str, rest: str) -> str:
    return f"{_at_start(one)} {middle} {_mid(two)}{rest}."


def _mid(name: str) -> str:
    first = name.split(" ", 1)[0]
    return name[0].lower() + name[1:] if first in _LOWERED else name


def _attributions(draw: Draw) -> Iterator[Edit]:
    text = draw.text
    if (match := _SAID.search(text)) and not re.search(r"\bnot\b|n't", text[match.end() :]):
        yield Edit(
            "attribution",
            text,
            put(
                text,
                match,
                match.group().replace("said", "denied", 1) + ("" if match.group().endswith("that") else " that"),
            ),
            FALSE,
        )
    if match := _CLAIMS.match(text):
        yield Edit("attribution", text, _at_start(match["what"]), OPEN)
    if match := _ALLEGEDLY.search(text):
        yield Edit("attribution", text, _at_start(put(text, match, "")), OPEN)
    if (match := PERSON.search(text)) and re.match(r",? [^,.]{0,40}?\b(?:said|told)\b", text[match.end() :]):
        strangers = [one for one in draw.source.people if one.split()[-1] not in text and one.split()[0] in _SEX]
        if strangers:
            yield Edit("attribution", text, put(text, match, draw.rng.choice(strangers)), OPEN)
    if match := _TRAILING.search(text):
        said = text[: match.start()]
        yield Edit(
            "attribution", f"According to {match['who']}, {_mid(said)}.", f"{said}, {match['who']} denied.", FALSE
        )
