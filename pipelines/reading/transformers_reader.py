"""
The reader of the server profile: Haystack's `TransformersExtractiveReader`. Needs the extra [models].

Guards against its traps: it fails on empty content, takes one query a call, scores spans without the logit of "no
answer", caps no span's length, takes a threshold of 0 for none, and tells models of the BERT kind nothing about which
tokens are the query's.
"""

import math
import threading
from pathlib import Path
from typing import Any

from haystack import Document, component

from core.errors import ConfigError, ModelError
from core.types import Article, Digest
from models.hashes import file_hash
from models.windows import MAX_TOKENS, OVERLAP_TOKENS
from pipelines.contracts.evidence import Finding
from pipelines.reading.windows import Piece, best_pieces, sentence_around

DEFAULT_MODEL = "deepset/roberta-base-squad2"
MAX_SPAN_WORDS = 30
ANSWERS_PER_PIECE = 20
_LARGEST_LOGIT = 300.0
_CALIBRATION_FACTOR = 0.1
"""Keeps Haystack's 32-bit sigmoid away from 1, where scores could no longer be told apart; undone in `_finding`."""


@component
class TransformersReader:
    """
    Read pieces of passages with a question answering model of Hugging Face.

    >>> reader = TransformersReader(model="deepset/roberta-base-squad2", batch_size=8)
    >>> reader.run("How much did the repairs cost?", documents=[], articles={})["findings"]
    []

    :param max_pieces: Pieces of about a hundred words to read for a query.
    :param batch_size: Pieces read at one time.
    :param model: Folder or hub name; None: `reader_model`.
    :param reader_model: Folder or hub name in the settings; None: `deepset/roberta-base-squad2`.
    """

    def __init__(
        self,
        *,
        max_pieces: int = 20,
        batch_size: int = 16,
        model: str | None = None,
        reader_model: str | None = None,
    ) -> None:
        self.max_pieces = max_pieces
        self.batch_size = batch_size
        self.model = model
        self.reader_model = reader_model
        self._lock = threading.Lock()
        self._reader: Any = None
        self._identity: str | None = None

    def warm_up(self) -> None:
        """
        Load the model; loading twice is harmless.

        :raises ConfigError: If the extra is not installed.
        :raises ModelError: If the model cannot be loaded.
        """
        with self._lock:
            if self._reader is None:
                self._reader = open_reader(self._model_name(), batch_size=self.batch_size)

    @property
    def identity(self) -> str:
        """Name the model, for the run record, with the hash of its weights file or the hub's revision."""
        if self._identity is None and self._reader is not None:
            weights = Path(self._model_name()) / "model.safetensors"
            revision = getattr(self._reader.model.config, "_commit_hash", None)
            content = file_hash(weights)[:12] if weights.is_file() else revision
            self._identity = f"{self._model_name()}@{content}"
        return self._identity or self._model_name()

    @component.output_types(findings=list[Finding])
    def run(
        self,
        query: str,
        documents: list[Document],
        articles: dict[str, Article],
        max_pieces: int | None = None,
        behind_headline: bool = False,
    ) -> dict[str, list[Finding]]:
        """
        Read passages for a query.

        :param documents: Passages, best first; those without text are left out.
        :param articles: Passage id to article.
        :param max_pieces: Fewer or more pieces than usual; None: as many as the constructor says.
        :param behind_headline: Changes nothing: no statement is judged by what this reader reads.
        :returns: `findings`, one per piece in which a span was found, in the order of `documents`. They say nothing
            about relations: this reader is not asked for them.
        """
        self.warm_up()
        pieces = best_pieces(query, documents, max_pieces=max_pieces or self.max_pieces)
        named = [Document(id=str(index), content=piece.text) for index, piece in enumerate(pieces)]
        answers = self._reader.run(query=query, documents=named)["answers"] if named else []
        best: dict[int, Any] = {}
        for answer in answers:  # best first
            if answer.document is not None and answer.data.strip() and len(answer.data.split()) <= MAX_SPAN_WORDS:
                best.setdefault(int(answer.document.id), answer)
        return {
            "findings": [
                _finding(piece, articles[piece.document.id], best[index])
                for index, piece in enumerate(pieces)
                if index in best
            ]
        }

    def _model_name(self) -> str:
        return self.model or self.reader_model or DEFAULT_MODEL


def open_reader(model: str, *, batch_size: int) -> Any:
    """
    Make Haystack's reader, scoring spans against "no answer" in the ONNX reader's windows, and load its model.

    :raises ConfigError: If the extra is not installed.
    :raises ModelError: If the model cannot be loaded.
    """
    try:
        from haystack_integrations.components.readers.transformers import (
            TransformersExtractiveReader,
        )
    except ImportError as error:
        raise ConfigError(
            "reader is 'transformers', and transformers-haystack is not installed",
            field="reader",
            hint="Install the extra: pip install 'looksy[models]'; or set LOOKSY_READER=onnx.",
        ) from error

    class AgainstNoAnswer(TransformersExtractiveReader):  # type: ignore[misc]  # Any without the extra
        """Subtract the logits of the first token, which stand for "no answer", from those of every span."""

        def _postprocess(self, *, start: Any, end: Any, **rest: Any) -> Any:
            no_answer = (start[:, :1] + end[:, :1]).clone()  # (batch, 1)
            return super()._postprocess(start=start - no_answer, end=end, **rest)

    reader = AgainstNoAnswer(
        model=model,
        top_k=1_000_000,
        no_answer=False,
        calibration_factor=_CALIBRATION_FACTOR,
        overlap_threshold=None,
        max_seq_length=MAX_TOKENS,
        stride=OVERLAP_TOKENS,
        answers_per_seq=ANSWERS_PER_PIECE,
        max_batch_size=batch_size,
    )
    try:
        reader.warm_up()
    except (OSError, ValueError) as error:
        raise ModelError(
            f"reader_model {model!r} cannot be loaded: {error}",
            field="reader_model",
            hint="Give a folder, or fetch it with 'looksy models pull'.",
        ) from error
    if getattr(reader.model.config, "type_vocab_size", 1) > 1:
        reader.model.register_forward_pre_hook(_token_types(reader.tokenizer.sep_token_id), with_kwargs=True)
    return reader


def _token_types(separator: int) -> Any:
    """Return a hook that marks what follows the query's separator as the passage, where nobody has."""

    def hook(_module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        ids = kwargs["input_ids"]  # (batch, tokens)
        before = (ids == separator).cumsum(1) - (ids == separator).long()
        return args, {"token_type_ids": before.clamp(max=1)} | kwargs

    return hook


def _finding(piece: Piece, article: Article, answer: Any) -> Finding:
    start, end = answer.document_offset.start, answer.document_offset.end
    sentence = sentence_around(piece.text, start, end)
    score = _logit(float(answer.score)) / _CALIBRATION_FACTOR
    probability = 1.0 / (1.0 + math.exp(-max(score, -_LARGEST_LOGIT)))
    digest = Digest(
        passage_id=piece.document.id,
        article_id=article.article_id,
        start=piece.start + start,
        end=piece.start + end,
        span=piece.text[start:end],
        score=score,
        probability=probability,
        no_answer_probability=1.0 - probability,
        sentence_start=piece.start + sentence[0],
        sentence_end=piece.start + sentence[1],
        sentence=piece.text[sentence[0] : sentence[1]],
        context=piece.text,
        relevance=probability,
    )
    return Finding(
        article=article,
        digest=digest,
        context_start=piece.start,
        rank=piece.rank,
        supports=0.0,
        refutes=0.0,
        neither=1.0,
    )


def _logit(probability: float) -> float:
    if not 0.0 < probability < 1.0:
        return math.copysign(_LARGEST_LOGIT * _CALIBRATION_FACTOR, probability - 0.5)
    return math.log(probability / (1.0 - probability))
