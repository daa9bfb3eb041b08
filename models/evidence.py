"""The shipped evidence model: finds answer spans in passages, and says what a passage does to a statement."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from core.types import Model, Probability
from models.hashes import file_hash
from models.joint_batches import read_jointly
from models.onnx_runtime import OnnxModel, length_buckets, load_tokenizer, pad_rows
from models.windows import Window, pair_windows, reads_whole

Floats = npt.NDArray[np.float32]

BATCH_SIZE = 8
MAX_SPAN_TOKENS = 30
_MASKED = np.float32(-1e4)


class EvidenceReading(Model):
    """What the model reads in one passage for one query."""

    start: int
    """Of the best span in the passage, in characters; `start == end` for an empty passage."""
    end: int
    span_score: float
    """Start logit plus end logit of the best span, minus those of "no answer here"."""
    span_logit: float
    no_answer_logit: float
    supports: Probability
    refutes: Probability
    neither: Probability
    relation_logits: tuple[float, float, float]
    """Supports, refutes, neither."""
    relevance: Probability
    """That the passage bears on the query."""


class EvidenceModel:
    """
    Read passages with the ONNX evidence model.

    Thread-safe. The int8 model scales activations by batch, so a reading may differ in the third digit when the
    same pair is read in other company; the same list of pairs always gives the same readings.

    :param folder: Holds `model.onnx` and `tokenizer.json`.
    :param threads: Threads for one batch; 0: one per core.
    """

    def __init__(self, folder: Path | str, *, threads: int = 0) -> None:
        folder = Path(folder)
        self.folder = folder
        self.threads = threads
        self._model = OnnxModel(folder / "model.onnx", threads=threads)
        self._lock = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._identity: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments as Haystack writes them into a pipeline file."""
        parameters = {"folder": str(self.folder), "threads": self.threads}
        return {"type": "models.evidence.EvidenceModel", "init_parameters": parameters}

    @property
    def identity(self) -> str:
        """Name of the folder, and the beginning of the hashes of model and tokenizer."""
        if self._identity is None:
            tokenizer_hash = file_hash(self.folder / "tokenizer.json")
            self._identity = f"{self.folder.name}@{self._model.sha256[:12]}-{tokenizer_hash[:8]}"
        return self._identity

    def load(self) -> None:
        """
        Load model and tokenizer; loading twice is harmless.

        :raises ModelError: If a file is missing or broken.
        """
        self._model.load()
        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = load_tokenizer(self.folder / "tokenizer.json")

    def reads_whole(self, query: str) -> bool:
        """Say whether a query is short enough to be read to its end."""
        return reads_whole(self._ready_tokenizer(), query)

    @read_jointly
    def read(self, pairs: Sequence[tuple[str, str]]) -> list[EvidenceReading]:
        """
        Read several (query, passage) pairs; queries may differ.

        :returns: One reading per pair, in order.
        """
        if not pairs:
            return []
        windows = pair_windows(self._ready_tokenizer(), pairs)
        read: dict[int, EvidenceReading] = {}
        rows: list[EvidenceReading | None] = [None] * len(windows)
        for group in length_buckets([len(window.token_ids) for window in windows], batch_size=BATCH_SIZE):
            for index, reading in zip(group, self._read_batch([windows[row] for row in group]), strict=True):
                rows[index] = reading
        for window, row in zip(windows, rows, strict=True):
            if row is not None:
                read[window.pair] = _merge(read.get(window.pair), row)
        return [read[index] for index in range(len(pairs))]

    def _ready_tokenizer(self) -> Tokenizer:
        if self._tokenizer is None:
            self.load()
        assert self._tokenizer is not None  # noqa: S101 - load sets it or raises
        return self._tokenizer

    def _read_batch(self, windows: list[Window]) -> Iterator[EvidenceReading]:
        ids = pad_rows([window.token_ids for window in windows])
        mask = pad_rows([[1] * len(window.token_ids) for window in windows])
        types = pad_rows([window.token_types for window in windows])
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        taken = self._model.inputs  # an MPNet takes no types
        span_logits, relation_logits, relevance_logits = self._model.run(
            {name: value for name, value in feeds.items() if name in taken}
        )
        spans = _best_spans(span_logits, windows)  # (batch, 3): start token, end token, logit
        for row, window in enumerate(windows):
            first, last, logit = spans[row]
            yield _reading(
                window,
                tokens=(int(first), int(last)),
                logits=(float(logit), float(span_logits[row, 0].sum())),
                relation=relation_logits[row],
                relevance=float(relevance_logits[row]),
            )


def _best_spans(span_logits: Floats, windows: list[Window]) -> npt.NDArray[np.float64]:
    """Find the best span of at most `MAX_SPAN_TOKENS` passage tokens in each row; shape (batch, 3)."""
    batch, tokens, _ = span_logits.shape
    allowed = np.zeros((batch, tokens), dtype=bool)
    for row, window in enumerate(windows):
        allowed[row, window.passage_at : window.passage_at + len(window.offsets)] = True
    starts = np.where(allowed, span_logits[..., 0], _MASKED)
    ends = np.full((batch, tokens + MAX_SPAN_TOKENS - 1), _MASKED, dtype=np.float32)
    ends[:, :tokens] = np.where(allowed, span_logits[..., 1], _MASKED)
    following = np.lib.stride_tricks.sliding_window_view(ends, MAX_SPAN_TOKENS, axis=1)  # (batch, start, length - 1)
    scores = (starts[..., None] + following).reshape(batch, -1)
    best = scores.argmax(axis=1)
    first, extra = np.divmod(best, MAX_SPAN_TOKENS)
    return np.stack([first, first + extra, scores[np.arange(batch), best]], axis=1).astype(np.float64)


def _reading(
    window: Window, *, tokens: tuple[int, int], logits: tuple[float, float], relation: Floats, relevance: float
) -> EvidenceReading:
    start = end = 0
    if window.offsets:
        start = window.offsets[tokens[0] - window.passage_at][0]
        end = window.offsets[tokens[1] - window.passage_at][1]
    exponentials = np.exp(relation.astype(np.float64) - relation.max())
    supports, refutes, neither = (exponentials / exponentials.sum()).tolist()
    return EvidenceReading(
        start=start,
        end=end,
        span_score=logits[0] - logits[1],
        span_logit=logits[0],
        no_answer_logit=logits[1],
        supports=supports,
        refutes=refutes,
        neither=neither,
        relation_logits=tuple(relation.tolist()),
        relevance=float(1.0 / (1.0 + np.exp(-relevance))),
    )


def _merge(before: EvidenceReading | None, after: EvidenceReading) -> EvidenceReading:
    """Join the readings of two windows of one passage: the best span, the most decided relation, the best relevance."""
    if before is None:
        return after
    span = max(before, after, key=lambda reading: reading.span_score)
    relation = min(before, after, key=lambda reading: reading.neither)
    return span.model_copy(
        update={
            "supports": relation.supports,
            "refutes": relation.refutes,
            "neither": relation.neither,
            "relation_logits": relation.relation_logits,
            "relevance": max(before.relevance, after.relevance),
        }
    )
