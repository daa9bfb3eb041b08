"""What the index covers: where an answer could have been found."""

from core.types import Request, Searched
from indexing.stores.contract import EvidenceStore


def searched(store: EvidenceStore, request: Request) -> Searched:
    """Say what was searched for a request."""
    counts = store.counts(by_month=False)
    return Searched(
        queries=(request.text,),
        articles=counts.articles,
        passages=counts.passages,
        sources=tuple(source.source for source in counts.sources),
        first_published_at=counts.first_published_at,
        last_published_at=counts.last_published_at,
        snapshot_id=store.snapshot_id(),
    )
