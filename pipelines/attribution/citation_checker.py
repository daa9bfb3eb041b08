"""Check a draft: every quote must stand in its article, every Doc[n] must have been given."""

from haystack import component

from core.counting import counted
from core.types import Notice
from pipelines.attribution.citations import drop_unknown
from pipelines.attribution.quotes import stands_at
from pipelines.contracts.evidence import CheckedAnswer, Draft, Evidence, number_articles


@component
class CitationChecker:
    """
    Drop and count what does not hold: quotes that are not verbatim, citations of documents that were never given.

    >>> draft = Draft(text="It cost 48 million crowns Doc[1]. It is new Doc[7].", generator="openai:m")
    >>> checked = CitationChecker().run(draft, evidence)["checked"]
    >>> [notice.code for notice in checked.warnings]
    ['citation_dropped']
    """

    @component.output_types(checked=CheckedAnswer)
    def run(self, draft: Draft, evidence: list[Evidence]) -> dict[str, CheckedAnswer]:
        """
        Check a draft.

        :param draft: In our form: its citations are Doc[n] before the full stop, all else is words.
        :param evidence: What the draft was written from; its articles are Doc[1], Doc[2], ... by first appearance.
        :returns: `checked`.
        """
        standing = [item for item in evidence if stands_at(item.article.body, item.start, item.end, item.text)]
        numbers = number_articles(evidence)
        alive = {numbers[item.article.article_id] for item in standing}
        text, dropped = drop_unknown(draft.text, given=alive)
        warnings = [*draft.warnings, *_counts(len(evidence) - len(standing), len(dropped))]
        checked = CheckedAnswer(text=text, evidence=tuple(standing), warnings=tuple(warnings))
        return {"checked": checked}


def _counts(quotes: int, citations: int) -> list[Notice]:
    notices = []
    if quotes:
        message = f"{counted(quotes, 'quote')} left out: not to the letter in the article."
        notices.append(Notice(code="quote_dropped", message=message))
    if citations:
        message = f"{counted(citations, 'citation')} removed: no such document was given."
        notices.append(Notice(code="citation_dropped", message=message))
    return notices
