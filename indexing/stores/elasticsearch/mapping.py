"""How passages are analysed and scored, which no template changes, and how an index is laid out, which one may."""

from typing import Any

from indexing.analysis import ANALYSER_NAME, elasticsearch_analysis

FORMAT = 1
"""Raised when an index of an older layout cannot be read any more."""

K1 = 1.2
B = 0.75
_KEYWORD = {"type": "keyword"}
_DATE = {"type": "date"}
_LONG = {"type": "long"}
_KEPT = {"type": "object", "enabled": False}
"""Given back as it came, searched by nothing."""


_LAYOUT = {
    "number_of_shards": 1,
    "auto_expand_replicas": "0-1",
    # A commit refreshes by itself; what is not committed need not be searchable.
    "refresh_interval": "60s",
}
"""Settings that a template of higher priority replaces."""


def settings() -> dict[str, Any]:
    """Return the settings that every index version is made with, whatever template applies to it."""
    return {
        "analysis": elasticsearch_analysis(),
        "similarity": {"looksy_bm25": {"type": "BM25", "k1": K1, "b": B}},
    }


def mappings() -> dict[str, Any]:
    """Return the strict mapping. Headline and text are searched as one field, so the headline counts everywhere."""
    source_text = {"type": "text", "index": False, "copy_to": "text"}
    return {
        "dynamic": "strict",
        "_meta": {"looksy_format": FORMAT},
        "properties": {
            "id": _KEYWORD,
            "headline": source_text,
            "content": source_text,
            "text": {"type": "text", "analyzer": ANALYSER_NAME, "similarity": "looksy_bm25", "index_options": "freqs"},
            "embedding": {
                "type": "dense_vector",
                "index": True,
                "similarity": "cosine",
                "index_options": {"type": "int8_hnsw", "m": 16, "ef_construction": 100},
            },
            **dict.fromkeys(("article_id", "source", "section", "language", "origin_id", "month"), _KEYWORD),
            **dict.fromkeys(("published_at", "first_seen_at", "superseded_at", "superseded_was"), _DATE),
            "revision": {"type": "integer"},
            **dict.fromkeys(("generation", "superseded_in", "deleted_in"), _LONG),
            "first": {"type": "boolean"},
            "meta": _KEPT,
            "record": _KEPT,
            "manifest": _KEPT,
            "lock": _KEPT,
        },
    }


def template(alias: str) -> dict[str, Any]:
    """Return the body of the index template for the versions of an index."""
    return {
        "index_patterns": [f"{alias}-v*"],
        "template": {"settings": _LAYOUT | settings(), "mappings": mappings()},
        "priority": 500,
        "_meta": {"looksy_format": FORMAT},
    }
