"""Token windows over (query, passage) pairs: `[CLS] query [SEP] passage [SEP]`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokenizers import Encoding, Tokenizer

from core.errors import ModelError

MAX_TOKENS = 256
MAX_QUERY_TOKENS = 128
"""Of a question or statement; what is beyond them is not read."""
OVERLAP_TOKENS = 96
"""Less than what the longest query leaves for the passage, so that each window reads on."""
_SPECIAL_TOKENS = 3


@dataclass(frozen=True)
class Window:
    """One row of a batch."""

    pair: int
    """Which pair it belongs to."""
    token_ids: list[int]
    passage_at: int
    """First passage token."""
    offsets: list[tuple[int, int]]
    """Characters in the passage of each passage token."""

    @property
    def token_types(self) -> list[int]:
        """0 for `[CLS] query [SEP]`, 1 from the passage on."""
        return [0] * self.passage_at + [1] * (len(self.token_ids) - self.passage_at)


def pair_windows(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[Window]:
    """
    Build the rows of all pairs; a passage that does not fit gets several that overlap.

    Each distinct text is tokenized once.
    """
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    encoded = dict(zip(texts, tokenizer.encode_batch(texts, add_special_tokens=False), strict=True))
    head, tail = _special_id(tokenizer, "[CLS]"), _special_id(tokenizer, "[SEP]")
    return [
        window
        for index, (query, passage) in enumerate(pairs)
        for window in _windows(index, encoded[query], encoded[passage], head=head, tail=tail)
    ]


def reads_whole(tokenizer: Tokenizer, query: str) -> bool:
    """Say whether a query is short enough to be read to its end."""
    return len(tokenizer.encode(query, add_special_tokens=False).ids) <= MAX_QUERY_TOKENS


def _special_id(tokenizer: Tokenizer, token: str) -> int:
    number = tokenizer.token_to_id(token)
    if number is None:
        raise ModelError(f"the tokenizer has no {token}", field="model", hint="Give a folder with a BERT tokenizer.")
    return int(number)


def _windows(index: int, query: Encoding, passage: Encoding, *, head: int, tail: int) -> Iterator[Window]:
    question = [head, *query.ids[:MAX_QUERY_TOKENS], tail]
    room = MAX_TOKENS - _SPECIAL_TOKENS - (len(question) - 2)
    start = 0
    while True:
        ids = passage.ids[start : start + room]
        yield Window(index, [*question, *ids, tail], len(question), passage.offsets[start : start + room])
        if start + room >= len(passage.ids):
            return
        start += room - OVERLAP_TOKENS
