"""Our own store as a search backend, with the retriever of the settings."""

from core.settings import Settings
from indexing.stores.contract import EvidenceStore
from pipelines.query.search_filters import haystack_filters
from pipelines.retrieval.article_loader import ArticleLoader
from pipelines.retrieval.choose_retriever import make_retriever
from pipelines.retrieval.collapse import DocumentCollapser
from pipelines.systems.agent.backends.contract import Found, Search

PASSAGES_PER_ARTICLE = 3
_DEEPER = 4


class StoreBackend:
    """
    Search the store.

    :param settings: Name the retriever.
    """

    def __init__(self, store: EvidenceStore, settings: Settings) -> None:
        self.name = "store"
        self._store = store
        self._settings = settings

    def search(self, search: Search) -> Found:
        """Return the best passages of at most `search.limit` articles."""
        retriever = make_retriever(self._settings.retriever, self._store, self._settings)
        passages = retriever.run(
            search.query,
            top_k=_DEEPER * search.limit,
            filters=haystack_filters(search.filters),
            as_of=search.as_of,
        )["documents"]
        kept = DocumentCollapser("article", keep=PASSAGES_PER_ARTICLE).run(passages)["documents"]
        names = list(dict.fromkeys(str(one.meta["article_id"]) for one in kept))[: search.limit]
        chosen = [one for one in kept if one.meta["article_id"] in names]
        loaded = ArticleLoader(self._store).run(chosen)
        return Found.model_validate({"documents": loaded["documents"], "articles": loaded["articles"]})
