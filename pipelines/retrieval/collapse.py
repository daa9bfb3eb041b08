"""One article, or one origin, counts once."""

from enum import StrEnum

from haystack import Document, component

from core.errors import InputError


class CollapseBy(StrEnum):
    """What makes passages belong together."""

    ARTICLE = "article"
    ORIGIN = "origin"
    """Copies of one text, for example wire copy, share their origin."""


_FIELDS = {CollapseBy.ARTICLE: "article_id", CollapseBy.ORIGIN: "origin_id"}


@component
class DocumentCollapser:
    """
    Keep the best passages of each article or origin, in the order of the ranking.

    >>> passages = [Document(content=text, meta={"article_id": "a"}) for text in ("first", "second")]
    >>> [passage.content for passage in DocumentCollapser().run(passages)["documents"]]
    ['first']

    :param by: article or origin. A passage that names none is kept.
    :param keep: Passages of each to keep.
    :param top_k: Passages to return; None: all that are kept.
    :raises InputError: If a value cannot be used.
    """

    def __init__(self, by: str = "article", *, keep: int = 1, top_k: int | None = None) -> None:
        if by not in set(CollapseBy):
            raise InputError(f"by is {by!r}", field="by", hint=f"Use {' or '.join(CollapseBy)}.")
        if keep < 1:
            raise InputError(f"keep is {keep}; at least 1 is needed", field="keep", hint="Use 1.")
        self.by = by
        self.keep = keep
        self.top_k = top_k

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """
        Collapse a ranking.

        :param documents: Best first.
        :returns: `documents`, best first.
        """
        field = _FIELDS[CollapseBy(self.by)]
        seen: dict[object, int] = {}
        kept: list[Document] = []
        for document in documents:
            group = document.meta.get(field) or document.id
            seen[group] = seen.get(group, 0) + 1
            if seen[group] <= self.keep:
                kept.append(document)
        return {"documents": kept[: self.top_k]}
