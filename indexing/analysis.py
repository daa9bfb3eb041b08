"""
How text becomes index terms: one definition for both stores, so that both rank alike.

The steps: words with their inner full stops, apostrophes and decimal points (Unicode TR 29, as Elasticsearch's
`standard` tokenizer cuts them); letters without accents; lower case; without stop words; the English Snowball stemmer,
which also takes a possessive 's off.
"""

from typing import Any

import tantivy

STOP_WORDS = (
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
)  # fmt: skip
"""Lucene's list for English."""

LONGEST_TERM_BYTES = 255

_WORD = r"[\p{L}\p{M}\p{N}_]"
_TOKEN = rf"\p{{N}}+(?:[.,]\p{{N}}+)+{_WORD}*|{_WORD}+(?:['\u2019.]{_WORD}+)*"

ANALYSER_NAME = "looksy_english"


def tantivy_analyser() -> tantivy.TextAnalyzer:
    """Make the analyser of the embedded store."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.regex(_TOKEN))
    for step in (
        tantivy.Filter.ascii_fold(),
        tantivy.Filter.lowercase(),
        tantivy.Filter.remove_long(LONGEST_TERM_BYTES),
        tantivy.Filter.custom_stopword(list(STOP_WORDS)),
        tantivy.Filter.stemmer("english"),
    ):
        builder = builder.filter(step)
    return builder.build()


def elasticsearch_analysis() -> dict[str, Any]:
    """Return the `analysis` settings that make the same terms in Elasticsearch, under `ANALYSER_NAME`."""
    return {
        "filter": {
            "looksy_stop": {"type": "stop", "stopwords": list(STOP_WORDS)},
            "looksy_stemmer": {"type": "stemmer", "language": "porter2"},
        },
        "analyzer": {
            ANALYSER_NAME: {
                "type": "custom",
                "tokenizer": "standard",
                "filter": ["asciifolding", "lowercase", "looksy_stop", "looksy_stemmer"],
            }
        },
    }
