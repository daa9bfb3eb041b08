"""`looksy status`: what the store holds."""

from collections import Counter
from datetime import datetime

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
    size = None if counts.bytes_on_disk is None else f"{counts.bytes_on_disk / 1e6:.1f} MB"
    print_table(
        ("what", "value"),
        [
            ("articles", f"{counts.articles:,}"),
            ("passages", f"{counts.passages:,}"),
            ("earlier revisions", f"{counts.revisions:,}"),
            ("first published", _day(counts.first_published_at)),
            ("last published", _day(counts.last_published_at)),
            ("on disk", size),
            ("vectors by", counts.embedder or "none"),
            ("snapshot", snapshot[:12]),
        ],
    )
    print_table(("source", "articles"), [(source.source, source.articles) for source in counts.sources])
    months: Counter[str] = Counter()
    for source in counts.sources:
        months.update(source.by_month)
    print_table(("month", "articles"), sorted(months.items()))


def _day(moment: datetime | None) -> str | None:
    return str(moment.date()) if moment else None
