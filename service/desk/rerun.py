"""Asks a check again, with its own report kept out of its evidence."""

from collections.abc import Callable, Iterable, Sequence

from core.errors import InputError
from core.types import Article, Filters, Request, Result
from indexing.stores.contract import EvidenceStore
from service.answers.asker import Asker, without_internals
from service.desk.due import Due
from service.desk.own_report import OwnReport, origin_of, own_report

MAX_ROUNDS = 4
"""Times that a claim is asked: each finds copies of its report that the one before has read, and excludes them."""
LOOKED_THROUGH = 100
"""Passages that are looked through for copies of a report before the first round."""


def ask_again(due: Due, asker: Asker, *, store: EvidenceStore) -> Result:
    """
    Ask a check again, as it was asked, with the settings of now.

    :param store: Where its report would be found.
    :raises LooksyError: If there is no answer, or the check's report cannot be kept out of its evidence.
    """
    return ask_without(
        lambda request: without_internals(asker.run(due.system, request)),
        due.request,
        [report_of(due, store)],
        store=store,
        known=due.read,
    )


def report_of(due: Due, store: EvidenceStore) -> OwnReport:
    """Say what the report of a check is known by."""
    quoted = store.get_articles([one.article_id for one in due.quoted])
    return own_report(
        due.check, due.run_ids, comments=due.comments, evidence=[article.body for article in quoted.values()]
    )


def ask_without(
    ask: Callable[[Request], Result],
    request: Request,
    reports: Sequence[OwnReport],
    *,
    store: EvidenceStore,
    known: Iterable[str],
) -> Result:
    """
    Ask with reports, and copies of them, kept out of the evidence.

    :param known: Ids of articles that were read for the claim before, and may be such copies.
    :raises InputError: If each round finds more of them.
    """
    places = [name for report in reports for name in report.article_ids]
    found = [str(hit.meta["article_id"]) for hit in store.keyword_search(request.text, top_k=LOOKED_THROUGH)]
    origins = set(request.filters.excluded_origins) | _origins(reports, [*places, *known, *found], store)
    for _ in range(MAX_ROUNDS):
        result = ask(_without(request, origins))
        own = _origins(reports, [reference.article_id for reference in result.references], store)
        if own <= origins:
            return result
        origins |= own
    raise InputError("the newsroom's own report cannot be kept out of the evidence", field="published_url")


def _origins(reports: Sequence[OwnReport], article_ids: list[str], store: EvidenceStore) -> set[str]:
    """Return the origins of those articles that are one of the reports."""
    found: dict[str, Article] = store.get_articles(article_ids)
    return {origin_of(article) for article in found.values() if any(report.is_at(article) for report in reports)}


def _without(request: Request, origins: set[str]) -> Request:
    if not origins:
        return request
    filters = Filters.model_validate({**dict(request.filters), "excluded_origins": tuple(sorted(origins))})
    return request.model_copy(update={"filters": filters})
