"""
How text becomes index terms: one definition for both stores, so that both rank alike.

The steps: runs of letters and digits; letters without accents; lower case; without stop words; the English Snowball
stemmer. Measurements of each step: docs/indexing.md.
"""

import unicodedata
from typing import Any

import tantivy

_LUCENE_STOP_WORDS = (
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
)  # fmt: skip
_AFTER_APOSTROPHES = ("s", "t", "d", "ll", "m", "re", "ve")
"""What is left of "president's", "don't" and the like once they are cut at the apostrophe."""

STOP_WORDS = _LUCENE_STOP_WORDS + _AFTER_APOSTROPHES

LONGEST_TERM = 255

ANALYSER_NAME = "looksy_english"

_INVISIBLE = frozenset({"Cc", "Cf"})
"""Unicode categories that part words in the embedded store: control and format characters."""


def tantivy_analyser() -> tantivy.TextAnalyzer:
    """Make the analyser of the embedded store."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (
        tantivy.Filter.remove_long(LONGEST_TERM),
        tantivy.Filter.ascii_fold(),
        tantivy.Filter.lowercase(),
        tantivy.Filter.custom_stopword(list(STOP_WORDS)),
        tantivy.Filter.stemmer("english"),
    ):
        builder = builder.filter(step)
    return builder.build()


def elasticsearch_analysis() -> dict[str, Any]:
    """Return the `analysis` settings that make the same terms in Elasticsearch, under `ANALYSER_NAME`."""
    return {
        "tokenizer": {
            "looksy_words": {
                "type": "char_group",
                "tokenize_on_chars": ["whitespace", "punctuation", "symbol", *_invisible_characters()],
                "max_token_length": LONGEST_TERM,
            }
        },
        "filter": {
            "looksy_stop": {"type": "stop", "stopwords": list(STOP_WORDS)},
            "looksy_stemmer": {"type": "stemmer", "language": "porter2"},
        },
        "analyzer": {
            ANALYSER_NAME: {
                "type": "custom",
                "tokenizer": "looksy_words",
                "filter": ["asciifolding", "lowercase", "looksy_stop", "looksy_stemmer"],
            }
        },
    }


def _invisible_characters() -> list[str]:
    """List those that fit one UTF-16 unit, which is what Elasticsearch compares."""
    basic_plane = (chr(code) for code in range(0x10000))
    return [character for character in basic_plane if unicodedata.category(character) in _INVISIBLE]
