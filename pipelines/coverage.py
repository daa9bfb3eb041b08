"""What the index covers: where an answer could have been found, and what of a request's bounds lies outside of it."""

from collections.abc import Sequence
from difflib import get_close_matches

from core.errors import InputError
from core.types import Filters, Notice, Request, Searched
from indexing.stores.contract import StoreCounts

NAMED = 10
"""Sources that are named where a request names one that the index lacks."""


def searched(request: Request, counts: StoreCounts, *, snapshot_id: str) -> Searched:
    """Say what was searched for a request."""
    return Searched(
        queries=(request.text,),
        articles=counts.articles,
        passages=counts.passages,
        sources=tuple(source.source for source in counts.sources),
        first_published_at=counts.first_published_at,
        last_published_at=counts.last_published_at,
        snapshot_id=snapshot_id,
    )


def fit_request(request: Request, counts: StoreCounts) -> tuple[Request, tuple[Notice, ...]]:
    """
    Name sources as the index does, and see that it holds articles of the sources and the period of a request.

    :returns: The request, and notices: the index lacks some of the sources, or knew nothing yet by `as_of`.
    :raises InputError: If it lacks all of them, or holds nothing of the period: then nothing could be found.
    """
    if not counts.articles:
        return request, ()
    _check_period(request.filters, counts)
    fitted, notices = _fit_sources(request, counts)
    return fitted, (*notices, *_too_early(request, counts))


def _fit_sources(request: Request, counts: StoreCounts) -> tuple[Request, tuple[Notice, ...]]:
    filters = request.filters
    known = [source.source for source in counts.sources]
    if (
        not filters.sources or sum(source.articles for source in counts.sources) < counts.articles
    ):  # a store counts only so many sources
        return request, ()
    sources = tuple(dict.fromkeys(_own_name(source, known) for source in filters.sources))
    fitted = request.model_copy(update={"filters": filters.model_copy(update={"sources": sources})})
    unknown = [source for source in sources if source not in known]
    if not unknown:
        return fitted, ()
    lack = f"the index holds no articles of {' or '.join(repr(source[:40]) for source in unknown[:NAMED])}"
    choice = f"Its sources are {_some(unknown[0], known)}."
    if len(unknown) == len(sources):
        raise InputError(lack, field="sources", hint=choice)
    return fitted, (Notice(code="source_unknown", message=f"{lack[0].upper()}{lack[1:]}. {choice}"),)


def _own_name(source: str, known: Sequence[str]) -> str:
    """Return the source's name in the index, whatever its case; as it was given if that is none or one of several."""
    alike = [name for name in known if name.casefold() == source.strip().casefold()]
    return alike[0] if len(alike) == 1 else source


def _some(unknown: str, known: Sequence[str]) -> str:
    """Name the sources of the index: all if they are few, else those of like names, or the first."""
    if len(known) <= NAMED:
        return ", ".join(known)
    folded = {name.casefold(): name for name in known}
    close = [folded[name] for name in get_close_matches(unknown.casefold(), folded, n=NAMED)] or known[:NAMED]
    return f"{', '.join(close)} and {len(known) - len(close)} more"


def _too_early(request: Request, counts: StoreCounts) -> tuple[Notice, ...]:
    if request.as_of is None or counts.first_seen_at is None or request.as_of >= counts.first_seen_at:
        return ()
    message = (
        f"The index knew no article by {request.as_of:%Y-%m-%d}: it first saw one on {counts.first_seen_at:%Y-%m-%d}. "
        "The filter published_to ('looksy ask --to') asks for what was published by a day, whenever it was seen."
    )
    return (Notice(code="nothing_known_yet", message=message),)


def _check_period(filters: Filters, counts: StoreCounts) -> None:
    first, last = counts.first_published_at, counts.last_published_at
    start, end = filters.published_from, filters.published_to
    held = f"Its articles were published {first:%Y-%m-%d} to {last:%Y-%m-%d}." if first and last else None
    if start is not None and (last is None or start > last):
        field, lack = "published_from", f"{start:%Y-%m-%d}; the index holds nothing published since then"
    elif end is not None and (first is None or end < first):
        field, lack = "published_to", f"{end:%Y-%m-%d}; the index holds nothing published by then"
    else:
        return
    raise InputError(f"{field} is {lack}", field=field, hint=held or "Its articles have no dates; leave it out.")
