"""What the index covers: where an answer could have been found, and what of a request's bounds lies outside of it."""

from collections.abc import Sequence
from difflib import get_close_matches

from core.errors import InputError
from core.types import Filters, Notice, Request, Searched
from indexing.stores.contract import EvidenceStore, StoreCounts

NAMED = 10
"""Sources or sections that are named where a request names one that the index lacks."""


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


def fitting_counts(store: EvidenceStore, request: Request) -> StoreCounts:
    """Count what `fit_request` looks at; sections take longer, and are listed only where the request names some."""
    return store.counts(by_month=bool(request.filters.sections))


def fit_request(request: Request, counts: StoreCounts) -> tuple[Request, tuple[Notice, ...]]:
    """
    Name sources and sections as the index does, and see that it holds articles of them and of the period.

    :returns: The request, and notices: the index lacks some of the names, or knew nothing yet by `as_of`.
    :raises InputError: If it lacks all of them, or holds nothing of the period: then nothing could be found.
    """
    if not counts.articles:
        return request, ()
    filters = request.filters
    _check_period(filters, counts)
    is_whole = sum(source.articles for source in counts.sources) == counts.articles  # a store counts only so many
    listed = [source.source for source in counts.sources] if is_whole else None
    sources, lacks_source = _fit_names("source", filters.sources, listed)
    sections, lacks_section = _fit_names("section", filters.sections, counts.sections)
    fitted = filters.model_copy(update={"sources": sources, "sections": sections})
    notices = (*lacks_source, *lacks_section, *_too_early(request, counts))
    return request.model_copy(update={"filters": fitted}), notices


def _fit_names(
    kind: str, names: tuple[str, ...], known: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
    """
    Return sources or sections as the index names them, and a notice of those that it lacks.

    :param known: None: they were not listed.
    :raises InputError: If it lacks all.
    """
    if not names or known is None:
        return names, ()
    fitted = tuple(dict.fromkeys(_own_name(name, known) for name in names))
    unknown = [name for name in fitted if name not in known]
    if not unknown:
        return fitted, ()
    lack = f"the archive holds no articles of {kind} {' or '.join(repr(name[:40]) for name in unknown[:NAMED])}"
    choice = f"Its {kind}s are {_some(unknown[0], known)}." if known else f"Its articles have no {kind}s."
    if len(unknown) == len(fitted):
        raise InputError(lack, field=f"{kind}s", hint=choice)
    return fitted, (Notice(code=f"{kind}_unknown", message=f"{lack[0].upper()}{lack[1:]}. {choice}"),)


def _own_name(name: str, known: Sequence[str]) -> str:
    """Return a name as the index has it, whatever its case; as it was given if that is none or one of several."""
    alike = [one for one in known if one.casefold() == name.strip().casefold()]
    return alike[0] if len(alike) == 1 else name


def _some(unknown: str, known: Sequence[str]) -> str:
    """Name what the index has: all if they are few, else those of like names, or the first."""
    if len(known) <= NAMED:
        return ", ".join(known)
    folded = {name.casefold(): name for name in known}
    close = [folded[name] for name in get_close_matches(unknown.casefold(), folded, n=NAMED)] or known[:NAMED]
    return f"{', '.join(close)} and {len(known) - len(close)} more"


def _too_early(request: Request, counts: StoreCounts) -> tuple[Notice, ...]:
    if request.as_of is None or counts.first_seen_at is None or request.as_of >= counts.first_seen_at:
        return ()
    message = (
        f"The archive knew no article by {request.as_of:%Y-%m-%d}: "
        f"it first saw one on {counts.first_seen_at:%Y-%m-%d}. "
        "The filter published_to ('looksy ask --to') asks for what was published by a day, whenever it was seen."
    )
    return (Notice(code="nothing_known_yet", message=message),)


def _check_period(filters: Filters, counts: StoreCounts) -> None:
    first, last = counts.first_published_at, counts.last_published_at
    start, end = filters.published_from, filters.published_to
    held = f"Its articles were published {first:%Y-%m-%d} to {last:%Y-%m-%d}." if first and last else None
    if start is not None and (last is None or start > last):
        field, lack = "published_from", f"{start:%Y-%m-%d}; the archive holds nothing published since then"
    elif end is not None and (first is None or end < first):
        field, lack = "published_to", f"{end:%Y-%m-%d}; the archive holds nothing published by then"
    else:
        return
    raise InputError(f"{field} is {lack}", field=field, hint=held or "Its articles have no dates; leave it out.")
