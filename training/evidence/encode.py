"""Examples as token ids, the way `models/windows.py` shows pairs to the model when it is used."""

from collections.abc import Iterable
from dataclasses import dataclass

from tokenizers import Tokenizer

from models.windows import Window, pair_windows
from training.data.examples import Example, Group

UNKNOWN = -1
_CHUNK = 4096


@dataclass(frozen=True)
class Row:
    """One row of a batch."""

    token_ids: list[int]
    passage_at: int
    """First passage token."""
    relation: int
    """As in `examples.py`; `UNKNOWN` if not known."""
    start: int
    """First token of the answer, 0 for none; `UNKNOWN` if not known."""
    end: int
    """Last token of the answer, 0 for none; `UNKNOWN` if not known."""
    relevant: int
    """0 or 1; `UNKNOWN` if not known."""

    def __len__(self) -> int:
        """Count tokens."""
        return len(self.token_ids)


RowGroup = tuple[Row, ...]


def encode_groups(tokenizer: Tokenizer, groups: Iterable[Group], *, max_tokens: int) -> list[RowGroup]:
    """
    Turn groups into rows; a group with a row that is too long, or whose answer is cut in two, is left out.

    :param max_tokens: Of a whole row, question, passage and special tokens together.
    """
    given = list(groups)
    encoded: list[RowGroup] = []
    for first in range(0, len(given), _CHUNK):
        encoded.extend(_encode(tokenizer, given[first : first + _CHUNK], max_tokens))
    return encoded


def _encode(tokenizer: Tokenizer, groups: list[Group], max_tokens: int) -> Iterable[RowGroup]:
    examples = [example for group in groups for example in group.examples]
    windows: dict[int, list[Window]] = {}
    for window in pair_windows(tokenizer, [(example.query, example.passage) for example in examples]):
        windows.setdefault(window.pair, []).append(window)
    at = 0
    for group in groups:
        rows = []
        for example in group.examples:
            row = _row(example, windows[at], max_tokens)
            at += 1
            if row is not None:
                rows.append(row)
        if rows and len(rows) == len(group.examples):
            yield tuple(rows)


def _row(example: Example, windows: list[Window], max_tokens: int) -> Row | None:
    window = windows[0]
    if len(windows) > 1 or len(window.token_ids) > max_tokens:
        return None
    tokens = _span_tokens(example.span, window)
    if tokens is None:
        return None
    return Row(
        window.token_ids,
        window.passage_at,
        UNKNOWN if example.relation is None else example.relation,
        *tokens,
        UNKNOWN if example.relevant is None else int(example.relevant),
    )


def _span_tokens(span: tuple[int, int] | None, window: Window) -> tuple[int, int] | None:
    if span is None:
        return UNKNOWN, UNKNOWN
    if span[0] == span[1]:
        return 0, 0
    inside = [at for at, (start, end) in enumerate(window.offsets) if start < span[1] and end > span[0]]
    return (window.passage_at + inside[0], window.passage_at + inside[-1]) if inside else None
