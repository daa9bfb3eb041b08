"""Token windows over (query, passage) pairs, framed as the tokenizer's model family was trained."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokenizers import Encoding, Tokenizer

from core.errors import ModelError

MAX_TOKENS = 256
MAX_QUERY_TOKENS = 128
"""Of a question or statement; what is beyond them is not read."""
OVERLAP_TOKENS = 96
"""Less than what the longest query leaves for the passage, so that each window reads on."""
_FRAMINGS = (("<s>", "</s>", 2), ("[CLS]", "[SEP]", 1))
"""Head, tail, and how often the tail stands between the texts."""


@dataclass(frozen=True)
class Framing:
    """Special tokens around the two texts of a pair, as ids."""

    head: int
    middle: tuple[int, ...]
    """Between query and passage."""
    tail: int

    @property
    def tokens(self) -> int:
        """Count the special tokens of a pair."""
        return len(self.middle) + 2


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
        """0 for what stands before the passage, 1 from the passage on."""
        return [0] * self.passage_at + [1] * (len(self.token_ids) - self.passage_at)


def pair_windows(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[Window]:
    """
    Build the rows of all pairs; a passage that does not fit gets several that overlap.

    Each distinct text is tokenized once.
    """
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    encoded = dict(zip(texts, tokenizer.encode_batch(texts, add_special_tokens=False), strict=True))
    framing = find_framing(tokenizer)
    return [
        window
        for index, (query, passage) in enumerate(pairs)
        for window in _windows(index, encoded[query], encoded[passage], framing)
    ]


def find_framing(tokenizer: Tokenizer) -> Framing:
    """
    Find out how a tokenizer's family frames a pair.

    BERT: `[CLS] query [SEP] passage [SEP]`; MPNet and RoBERTa: `<s> query </s></s> passage </s>`. MPNet's vocabulary
    holds BERT's special tokens too, which its model never saw.

    :raises ModelError: If the tokenizer is of neither kind.
    """
    for head, tail, times in _FRAMINGS:
        first, last = tokenizer.token_to_id(head), tokenizer.token_to_id(tail)
        if first is not None and last is not None:
            return Framing(first, (last,) * times, last)
    raise ModelError(
        f"the tokenizer has neither {' nor '.join(f'{head} and {tail}' for head, tail, _ in _FRAMINGS)}",
        field="model",
        hint="Give a folder with the tokenizer of a BERT or an MPNet.",
    )


def reads_whole(tokenizer: Tokenizer, query: str) -> bool:
    """Say whether a query is short enough to be read to its end."""
    return len(tokenizer.encode(query, add_special_tokens=False).ids) <= MAX_QUERY_TOKENS


def _windows(index: int, query: Encoding, passage: Encoding, framing: Framing) -> Iterator[Window]:
    asked = query.ids[:MAX_QUERY_TOKENS]
    question = [framing.head, *asked, *framing.middle]
    room = MAX_TOKENS - framing.tokens - len(asked)
    start = 0
    while True:
        ids = passage.ids[start : start + room]
        yield Window(index, [*question, *ids, framing.tail], len(question), passage.offsets[start : start + room])
        if start + room >= len(passage.ids):
            return
        start += room - OVERLAP_TOKENS
