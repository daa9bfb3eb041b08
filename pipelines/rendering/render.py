"""A result as people read it: Markdown. Everything from articles and users is escaped."""

from core.counting import counted
from core.types import Quote, Reference, Relation, Result, ShownConflict, Status, Verdict
from core.urls import hostname
from pipelines.query.bounds import bounds_of
from pipelines.rendering.escape import markdown_answer, markdown_link, markdown_text
from pipelines.rendering.sections import cited_numbers, render_sections

_VERDICTS = {
    Verdict.VERIFIED: "Verified",
    Verdict.REFUTED: "Refuted",
    Verdict.CONFLICTING: "Conflicting",
    Verdict.UNVERIFIED: "Unverified",
}
CLOSEST = 3
"""Quotes that settle nothing and are shown where no quote settles anything."""
LONGEST_TEXT = 600
"""Characters of what was asked that are repeated above the answer."""
LONGEST_WORD = 40
"""Characters that are given up for a cut after a word."""

_STRENGTHS = (("strong", 0.85), ("fair", 0.65), ("weak", 0.0))
"""Words for a confidence, and the least that each takes."""
_CONFLICTS = {
    "disputed": "The article calls the claim false",
    "negation": "The article says the contrary",
    "day": "The article gives another day",
    "roles": "The article says it the other way round",
    "exchange": "The article has it the other way round",
}
"""Words before what was found, for kinds in which what is stated says little."""
_RELATIONS = {Relation.SUPPORTS: "supports", Relation.REFUTES: "refutes", Relation.MENTIONS: "mentions"}


def to_markdown(result: Result) -> str:
    """
    Write verdict, answer, the quotes that settle it with links, and what is missing.

    Quotes that only mention the matter are left out, unless there are no others: then the closest `CLOSEST` are shown.
    The result itself has them all.

    :returns: Markdown that ends with a line break.
    """
    if result.request.options.get("style") == "seed":
        return _seed(result)
    parts = [
        _checked_before(result),
        f"# {heading(result)}",
        markdown_text(repeat(result.request.text)),
        *_answer(result),
    ]
    parts += render_sections(result.sections)
    parts += [_reference(reference) for reference in _worth_showing(result)]
    parts += [_list("Missing", result.missing), _list("Notes", tuple(notice.message for notice in result.warnings))]
    return "\n\n".join(part for part in parts if part) + "\n"


def asked_elsewhere(result: Result) -> bool:
    """Say whether another search engine than our index was asked."""
    return result.searched is not None and not result.searched.snapshot_id


def heading(result: Result) -> str:
    """Return the verdict in words, with its confidence; that there is none; or the system, where it judges nothing."""
    if result.status is Status.FAILED:
        return "Failed: no verdict"
    words = _VERDICTS[result.verdict] if result.verdict else result.system.replace("_", " ").capitalize()
    if result.status is Status.NO_EVIDENCE:
        everywhere = not asked_elsewhere(result) and not bounds_of(result.request)
        return f"{words}: nothing relevant {'in the archive' if everywhere else 'was found'}"
    sure = strength(result)
    return f"{words} ({sure})" if sure else words


def repeat(text: str) -> str:
    """Return what was asked as it stands above its answer: a long one is cut, after a word where one ends there."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[: max(text.rfind(' ', 0, LONGEST_TEXT), LONGEST_TEXT - LONGEST_WORD)]} …"


def _checked_before(result: Result) -> str:
    """Name the earlier fact-checks, above the verdict, which does not rest on them."""
    lines = []
    for one in result.checked_before:
        rated = f": {markdown_text(one.verdict)}" if one.verdict else ""
        day = f", {one.date.isoformat()}" if one.date else ""
        claim = markdown_link(one.claim, one.url) if one.url else markdown_text(one.claim)
        lines.append(f"- {markdown_text(one.publisher or 'unknown publisher')}{rated}{day}. Claim: {claim}")
    return "\n".join(["**Checked before** (not evidence for this verdict):", "", *lines]) if lines else ""


def _answer(result: Result) -> list[str]:
    if result.failure is not None:
        hint = f" {result.failure.hint}" if result.failure.hint else ""
        return [markdown_text(f"{result.failure.message}.{hint}")]
    return [markdown_answer(result.answer), _conflicts(result), _counts(result)]


def conflict_line(conflict: ShownConflict) -> str:
    """Return what is stated and what an article says instead, as one line of plain text."""
    where = f" (Doc[{conflict.number}])" if conflict.number else ""
    lead, found = _CONFLICTS.get(conflict.kind, ""), conflict.found.rstrip("-")
    if conflict.kind == "negation":
        return f"{lead}{where}"
    if lead:
        return f"{lead}: “{found}”{where}"
    return f"Stated: {conflict.stated.rstrip('-')}. The article says: {found}{where}"


def strength(result: Result) -> str:
    """Return how sure a verdict is, in words and as a frequency; empty where nothing was settled."""
    if result.confidence is None or result.verdict in {None, Verdict.UNVERIFIED}:
        return ""
    value = result.confidence.value
    word = next(word for word, least in _STRENGTHS if value >= least)
    return f"{word}: right in about {value * 100:.0f} of 100 such cases"


def _conflicts(result: Result) -> str:
    return "\n".join(f"- **{markdown_text(conflict_line(one))}**" for one in result.conflicts)


def _counts(result: Result) -> str:
    parts = []
    if result.articles_supporting:
        parts.append(f"supported by {_sources(result.articles_supporting, result.origins_supporting)}")
    if result.articles_refuting:
        parts.append(f"refuted by {_sources(result.articles_refuting, result.origins_refuting)}")
    return f"_{'; '.join(parts)}_" if parts else ""


def _sources(articles: int, origins: int) -> str:
    return f"{counted(articles, 'article')} of {counted(origins, 'origin')}"


def _worth_showing(result: Result) -> list[Reference]:
    """Return the references that are cited or hold a quote worth showing, with only such quotes."""
    quotes = [quote for reference in result.references for quote in reference.quotes]
    chosen = [quote for quote in quotes if quote.relation is not Relation.MENTIONS]
    if not chosen:
        chosen = sorted(quotes, key=lambda quote: -quote.score)[:CLOSEST]
    cited = cited_numbers(result)
    shown = []
    for reference in result.references:
        kept = tuple(quote for quote in reference.quotes if quote in chosen)
        if kept or reference.number in cited:
            shown.append(reference.model_copy(update={"quotes": kept}))
    return shown


def _reference(reference: Reference) -> str:
    day = reference.published_at.date().isoformat() if reference.published_at else "undated"
    source = markdown_text(reference.source or hostname(reference.url))
    head = f"**Doc[{reference.number}]** {markdown_link(reference.headline, reference.url)}, {source}, {day}"
    return "\n".join([head, *(_quote(quote) for quote in reference.quotes)])


def _quote(quote: Quote) -> str:
    link = markdown_link("open", quote.link)
    return f"\n> “{markdown_text(quote.text)}” ({_RELATIONS[quote.relation]}, {quote.score:.2f}; {link})"


def _list(title: str, lines: tuple[str, ...]) -> str:
    return "\n".join([f"{title}:", "", *(f"- {markdown_text(line)}" for line in lines)]) if lines else ""


def _seed(result: Result) -> str:
    """Write the published format: verdict line, answer, `Document[n]: [headline](url)`."""
    head = "News Verified!" if result.verdict is Verdict.VERIFIED else "News Unverified!"
    answer = result.failure.message if result.failure else result.answer
    references = [f"Document[{ref.number}]: {markdown_link(ref.headline, ref.url)}" for ref in result.references]
    return "\n\n".join([head, markdown_answer(answer), *references]) + "\n"
