"""Edits of words: negation, opposites, modality, quantifiers, stages, results, directions, order."""

import re
from collections.abc import Iterator

from evaluation.benchmarks.near_copies.inflection import past
from evaluation.benchmarks.near_copies.source import FALSE, OPEN, Draw, Edit, put

_SUBJECT = r"^(?P<subject>[A-Z](?:(?!\b(?:that|who|which|and|or|said|when|if|where|as|after|but|while|because)\b)[^,;:–—]){3,70}?)\s"
_AUXILIARY = re.compile(
    _SUBJECT + r"(?P<aux>was|were|is|are|has|have|had|will|can|could|would)\s"
    r"(?!not\b|never\b|no\b|also\b|only\b|been\b|to\b|one\b|either\b|neither\b|expected\b|now\b)(?P<next>[a-z]+)"
)
_NOT = re.compile(
    _SUBJECT
    + r"(?P<aux>was|were|is|are|has|have|had|will|could|would|did|does|do)(?P<not>\snot)\s(?!only\b|just\b|yet\b|even\b)[a-z]+"
)
_OPPOSITES = """
rose/climbed/fell fell/dropped/rose increased/increased/decreased decreased/decreased/increased rising/climbing/falling falling/dropping/rising
began/started/ended ended/finished/began started/began/stopped opened/opened/closed closed/closed/opened accepted/accepted/rejected
approved/approved/rejected rejected/rejected/approved supported/backed/opposed opposed/opposed/supported arrived/arrived/departed
higher/higher/lower lower/lower/higher largest/biggest/smallest smallest/smallest/largest highest/highest/lowest lowest/lowest/highest
oldest/oldest/youngest youngest/youngest/oldest longest/longest/shortest majority/majority/minority guilty/guilty/innocent
success/success/failure successful/successful/unsuccessful safe/safe/unsafe legal/lawful/illegal illegal/unlawful/legal alive/alive/dead
increase/rise/decrease decrease/drop/increase reduced/reduced/increased improved/got_better/worsened strengthened/strengthened/weakened
remained/stayed/left joined/joined/left before/before/after after/after/before released/freed/detained lifted/lifted/imposed
public/public/private rural/rural/urban poor/poor/rich stronger/stronger/weaker cheaper/cheaper/dearer warmer/warmer/colder
praised/praised/criticised criticised/criticised/praised welcomed/welcomed/condemned condemned/condemned/welcomed
allowed/allowed/forbade banned/banned/allowed prohibited/banned/permitted early/early/late empty/empty/full
positive/positive/negative negative/negative/positive possible/possible/impossible likely/likely/unlikely unlikely/unlikely/likely
won/won/lost lost/lost/won victory/victory/defeat defeat/defeat/victory survived/survived/died killed/killed/spared
injured/injured/killed passed/passed/failed acquitted/acquitted/convicted convicted/convicted/acquitted winning/winning/losing
north/north/south south/south/north east/east/west west/west/east northern/northern/southern southern/southern/northern
eastern/eastern/western western/western/eastern above/above/below below/below/above imports/imports/exports
exports/exports/imports upstream/upstream/downstream clockwise/clockwise/anticlockwise
""".split()
_RESULTS = frozenset("won lost victory defeat survived killed injured passed acquitted convicted winning".split())
_DIRECTIONS = frozenset(
    "north south east west northern southern eastern western above below imports exports upstream clockwise".split()
)
_UNSURE_OPPOSITES = frozenset({"before", "after", "early", "late", "public"})
_STAGES = (
    (r"(?:was|were) arrested", "{be} convicted"), (r"(?:was|were) detained", "{be} convicted"),
    (r"(?:has|have) been arrested", "{have} been convicted"), (r"(?:has|have) been charged with", "{have} been convicted of"),
    (r"(?:was|were) charged with", "{be} convicted of"), (r"(?:was|were|is|are) accused of", "{be} convicted of"),
    (r"(?:is|are|was|were) suspected of", "{be} convicted of"), (r"(?:was|were) nominated for", "{be} awarded"),
    (r"(?:was|were) nominated", "{be} elected"), (r"proposed (?=the|a|an|that)", "adopted "), (r"offered to buy", "bought"),
    (r"sued (?=the|[A-Z])", "won a lawsuit against "), (r"filed a lawsuit against", "won a lawsuit against"),
    (r"(?:was|were) wounded", "{be} killed"), (r"(?:was|were) considered", "{be} approved"),
    (r"(?:is|was) under construction", "{be} completed"), (r"threatened to (?P<verb>[a-z]+)", "{past}"),
    (r"agreed to (?P<verb>[a-z]+)", "{past}"), (r"announced plans to (?P<verb>[a-z]+)", "{past}"),
    (r"offered to (?P<verb>[a-z]+)", "{past}"),
    (r"(?:was|were) investigated for", "{be} convicted of"), (r"(?:was|were) ordered to (?P<verb>[a-z]+)", "{past}"),
    (r"tried to (?P<verb>[a-z]+)", "{past}"), (r"attempted to (?P<verb>[a-z]+)", "{past}"), (r"(?<!been )(?<!was )(?<!were )asked to (?P<verb>[a-z]+)", "{past}"),
)  # fmt: skip
_MODAL = (
    (r"(?P<modal>may|might|could) (?!not\b|have\b|be\b|also\b|well\b|only\b|no\b)(?P<verb>[a-z]+)", OPEN),
    (r"(?P<modal>may|might|could) be", OPEN),
    (r"(?P<modal>(?:is|are|was|were) (?:expected|planned|scheduled|due|likely|set|supposed) to) (?!be\b|have\b)(?P<verb>[a-z]+)", OPEN),
    (r"(?<!was )(?<!were )(?<!is )(?<!are )(?<!be )(?<!a )(?<!and )(?<!been )(?<!announced )(?<!longer )(?<!the )(?<!its )(?<!his )(?<!their )(?<!had )(?<!have )(?<!has )(?<!not )(?P<modal>plans|planned|plan|hopes|hoped|hope|wants|wanted|intends|intended|seeks|sought|aims|aimed) to (?!be\b|have\b)(?P<verb>[a-z]+)", OPEN),
    (r"(?<!had )(?<!have )(?<!has )(?P<modal>failed|refused|declined) to (?!be\b|have\b)(?P<verb>[a-z]+)", FALSE),
)  # fmt: skip
_QUANTIFIERS = (
    (r"\b[Aa]ll (?:of )?(?:the )?(?=[a-z]+s\b)", "half of the ", FALSE), (r"\b[Ee]very (?=[a-z])(?!two|three|four|five|ten|day|year|week|few)", "hardly any ", FALSE),
    (r"\b[Ss]ome (?:of )?(?:the )?(?!weeks\b|days\b|hours\b|years\b|months\b|minutes\b|times\b|as\b)(?=[a-z]+s\b)", "all ", OPEN), (r"\b[Mm]any (?:of )?(?:the )?(?!weeks\b|days\b|hours\b|years\b|months\b|minutes\b|times\b|as\b)(?=[a-z]+s\b)", "all ", OPEN),
    (r"\b[Ss]everal (?!weeks\b|days\b|hours\b|years\b|months\b|minutes\b|times\b|as\b)(?=[a-z]+s\b)", "all ", OPEN), (r"\b[Mm]ost (?:of )?(?:the )?(?!weeks\b|days\b|hours\b|years\b|months\b|minutes\b|times\b|as\b)(?=[a-z]+s\b)", "all ", OPEN),
    (r"\b[Aa] few (?!weeks\b|days\b|hours\b|years\b|months\b|minutes\b|times\b|as\b)(?=[a-z]+s\b)", "all ", OPEN), (r"(?<!first )(?<!second )\b[Hh]alf of (?:the )?(?=[a-z])(?!this\b|last\b|next\b)", "all of the ", FALSE),
    (r"(?<!not )(?<!but )\b[Oo]ne of (?=the (?!most\b|[a-z]+est\b|first\b|last\b|few\b|main\b)|its |his |her |their )", "all of ", OPEN), (r"(?<!a )(?<!last )(?<!past )(?<!next )(?<!first )\b[Ff]ew (?=[a-z]+s\b)", "most ", FALSE),
    (r"\bno (?=[a-z]+s\b)", "many ", FALSE), (r"\b[Nn]one of (?=the )", "most of ", FALSE),
)  # fmt: skip
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL = re.compile(
    rf"\b(?:the|his|her|its|their|a) (?P<which>{'|'.join(_ORDINALS)}) (?!of\b|place\b|half\b|and\b|lady\b)[a-z]{{3,}}"
)
_NUMBERED = re.compile(
    r"\b(?P<number>\d{1,3})(?P<ending>st|nd|rd|th)\b(?! (?:of|and|January|February|March|April|May|June|July|August))"
)
_GRADE = re.compile(
    r"\b(?:the|its|his|her|their) (?P<grade>largest|biggest|highest|longest|oldest|best|most [a-z]+) [a-z]"
)
_FROM_TO = re.compile(
    r"\bfrom (?P<a>(?:[A-Z][\w]+ ?){1,3}|[\d.,]+(?: percent| per cent|%)?) to (?P<b>(?:[A-Z][\w]+ ?){1,3}|[\d.,]+(?: percent| per cent|%)?)(?=[\s,.])"
)


def wording_edits(draw: Draw) -> Iterator[Edit]:
    """Yield the edits of a sentence's words."""
    yield from _negations(draw)
    yield from _opposites(draw)
    yield from _modalities(draw)
    yield from _stages(draw)
    for pattern, new, label in _QUANTIFIERS:
        if match := re.search(pattern, draw.text):
            written = new.capitalize() if match.start() == 0 else new
            yield Edit("quantifier", draw.text, put(draw.text, match, written), label)
    yield from _orders(draw)
    if (match := _FROM_TO.search(draw.text)) and match["a"].strip() != match["b"].strip():
        false = put(draw.text, match, f"from {match['b'].strip()} to {match['a'].strip()}")
        yield Edit("direction", draw.text, false)


def _negations(draw: Draw) -> Iterator[Edit]:
    if re.search(r"\b(?:not|never|no|nobody|none|neither|without)\b|n't", draw.text[:80]) is None:
        if match := _AUXILIARY.match(draw.text):
            word = draw.rng.choice(["not", "not", "never"])
            yield Edit("negation", draw.text, put(draw.text, match, f"{match['aux']} {word}", "aux"))
    elif match := _NOT.match(draw.text):
        short = "won't" if match["aux"] == "will" else f"{match['aux']}n't"
        true = draw.text
        if draw.rng.random() < 0.5:
            true = draw.text[: match.start("aux")] + short + draw.text[match.end("not") :]
        yield Edit("negation", true, put(draw.text, match, "", "not"))


def _opposites(draw: Draw) -> Iterator[Edit]:
    for row in _OPPOSITES:
        word, same, other = (part.replace("_", " ") for part in row.split("/"))
        if word in _UNSURE_OPPOSITES and not re.search(rf"\b{word} (?:the|a|an|his|her|its|their|[A-Z])", draw.text):
            continue
        found = list(re.finditer(rf"\b{word}\b(?!-)", draw.text))
        if len(found) != 1 or re.search(rf"\b{re.escape(other)}\b|\bnot\b|n't|\bno\b|\bnever\b", draw.text):
            continue
        kind = "result" if word in _RESULTS else "direction" if word in _DIRECTIONS else "opposite"
        true = put(draw.text, found[0], same if draw.rng.random() < 0.5 else word)
        yield Edit(kind, true, put(draw.text, found[0], other))


def _modalities(draw: Draw) -> Iterator[Edit]:
    for pattern, label in _MODAL:
        match = re.search(rf"(?<!not )\b{pattern}\b", draw.text)
        if match is None or re.search(
            r"\b(?:if|unless|whether|so that|who|which|how|what)\b", draw.text[: match.start()]
        ):
            continue
        done = past(match["verb"]) if "verb" in match.groupdict() else "was"
        if done:
            true = draw.text
            if match["modal"] in {"may", "might"}:
                true = put(true, match, "might" if match["modal"] == "may" else "may", "modal")
            yield Edit("modality", true, put(draw.text, match, done), label)


def _stages(draw: Draw) -> Iterator[Edit]:
    for pattern, new in _STAGES:
        match = re.search(rf"\b{pattern}\b", draw.text)
        if match is None or re.search(r"\b(?:not|never|no|if|to be)\b", draw.text[: match.end()]):
            continue
        first = match.group().split()[0]
        verb = match.groupdict().get("verb") or ""
        done = past(verb) if verb else ""
        if not verb or done:
            be = {"is": "was", "are": "were"}.get(first, first)
            false = put(draw.text, match, new.format(be=be, have=first, past=done, verb=verb))
            yield Edit("stage", draw.text, false, OPEN)


def _orders(draw: Draw) -> Iterator[Edit]:
    if match := _ORDINAL.search(draw.text):
        at = _ORDINALS.index(match["which"])
        other = _ORDINALS[(at + draw.rng.randint(1, 3)) % len(_ORDINALS)]
        if not draw.source.has(other):
            yield Edit("ordinal", draw.text, put(draw.text, match, other, "which"))
    if match := _NUMBERED.search(draw.text):
        number = int(match["number"]) + draw.rng.choice([2, 3, 4])
        ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        if not draw.source.has(f"{number}{ending}"):
            yield Edit(
                "ordinal", draw.text, draw.text[: match.start()] + f"{number}{ending}" + draw.text[match.end() :]
            )
    if match := _GRADE.search(draw.text):
        other = f"{draw.rng.choice(['second', 'third', 'fourth'])}-{match['grade']}"
        yield Edit("ordinal", draw.text, put(draw.text, match, other, "grade"))
