"""Put each passage beside its article: what an investigation found brings its articles along."""

from haystack import Document, component

from core.types import Article, Notice


@component
class AgentLoader:
    """Hand on the articles that the searches returned; they were loaded when they were found."""

    @component.output_types(documents=list[Document], articles=dict[str, Article], warnings=list[Notice])
    def run(self, documents: list[Document], found: dict[str, Article]) -> dict[str, object]:
        """
        Load.

        :param found: Passage id to article.
        :returns: `documents` with an article, in order; `articles` by passage id; `warnings`, none.
        """
        kept = [document for document in documents if document.id in found]
        return {"documents": kept, "articles": {one.id: found[one.id] for one in kept}, "warnings": []}
