"""The engines that are compared, one per file, each loaded only in the process that measures it."""

from importlib import import_module

from evaluation.performance.engines.base import Engine

ENGINES = {
    "tantivy": "raw_tantivy:RawTantivy",
    "looksy": "looksy_embedded:LooksyEmbedded",
    "haystack-memory": "haystack_memory:HaystackMemory",
    "bm25s": "bm25s_engine:Bm25sEngine",
    "sqlite-fts5": "sqlite_fts5:SqliteFts5",
    "elasticsearch": "elasticsearch_store:ElasticsearchEngine",
}


def load_engine(name: str) -> type[Engine]:
    """Return the class of an engine."""
    module, class_name = ENGINES[name].split(":")
    engine: type[Engine] = getattr(import_module(f"{__name__}.{module}"), class_name)
    return engine
