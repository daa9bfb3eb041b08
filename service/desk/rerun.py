"""Asks a check again, with its own report kept out of its evidence."""

from core.errors import InputError
from core.types import Article, Filters, Request, Result
from indexing.stores.contract import EvidenceStore
from service.answers.asker import Asker, without_internals
from service.desk.due import Due
from service.desk.own_report import OwnReport, origin_of, own_report

MAX_ROUNDS = 4
"""Times that a check is asked: each finds copies of its report that the one before has read, and excludes them."""


class Rerun:
    """
    Asks checks again.

    :param asker: Answers.
    :param store: Where reports of checks would be found.
    """

    def __init__(self, asker: Asker, store: EvidenceStore) -> None:
        self.asker = asker
        self.store = store

    def ask(self, due: Due) -> Result:
        """
        Ask a check again, as it was asked, with the settings of now.

        :raises LooksyError: If there is no answer, or the check's report cannot be kept out of its evidence.
        """
        report = self.report_of(due)
        origins = set(due.request.filters.excluded_origins) | self._origins(report, [*report.article_ids, *due.read])
        for _ in range(MAX_ROUNDS):
            result = without_internals(self.asker.run(due.system, _without(due.request, origins)))
            own = self._origins(report, [reference.article_id for reference in result.references])
            if own <= origins:
                return result
            origins |= own
        raise InputError("the check's own report cannot be kept out of its evidence", field="published_url")

    def report_of(self, due: Due) -> OwnReport:
        """Say what the report of a check is known by."""
        quoted = self.store.get_articles([one.article_id for one in due.quoted])
        return own_report(
            due.check, due.run_ids, comments=due.comments, evidence=[article.body for article in quoted.values()]
        )

    def _origins(self, report: OwnReport, article_ids: list[str]) -> set[str]:
        """Return the origins of those articles that are the report."""
        found: dict[str, Article] = self.store.get_articles(article_ids)
        return {origin_of(article) for article in found.values() if report.is_at(article)}


def _without(request: Request, origins: set[str]) -> Request:
    filters = Filters.model_validate({**dict(request.filters), "excluded_origins": tuple(sorted(origins))})
    return request.model_copy(update={"filters": filters})
