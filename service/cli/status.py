"""`looksy status`: what the store holds."""

from collections import Counter

from service.cli import common
from service.cli.output import print_json, print_table


def status(
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Show what the store holds: articles, passages, sources, dates."""
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)

    from indexing.stores.open import open_store

    opened = open_store(settings)
    try:
        counts, snapshot = opened.counts(), opened.snapshot_id()
    finally:
        opened.close()
    if as_json:
        print_json(counts.model_dump(mode="json") | {"snapshot_id": snapshot})
        return
    first, last = (str(day.date()) if day else None for day in (counts.first_published_at, counts.last_published_at))
    size = None if counts.bytes_on_disk is None else f"{counts.bytes_on_disk / 1e6:.1f} MB"
    print_table(
        ("articles", "passages", "revisions", "first", "last", "size", "embedder", "snapshot"),
        [
            (
                counts.articles,
                counts.passages,
                counts.revisions,
                first,
                last,
                size,
                counts.embedder or "none",
                snapshot[:12],
            )
        ],
    )
    print_table(("source", "articles"), [(source.source, source.articles) for source in counts.sources])
    months: Counter[str] = Counter()
    for source in counts.sources:
        months.update(source.by_month)
    print_table(("month", "articles"), sorted(months.items()))
