"""
BERTScore with any model, through the library bert-score (extra [rag]).

Guards: a blank answer scores 0 without asking the model (the library warns and misaligns), and texts are cut to what
the model can read, for tokenizers that state no limit.
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import ConfigError
from evaluation.optional_import import require

_NO_LIMIT = 1_000_000
_MOST_TOKENS = 512
_NEED = "BERTScore with a model of your own"


class LibraryScorer:
    """
    Scores answers with one model. Thread-safe; loads itself on first use.

    :param model: A hub name, or a folder with a Transformers model: then nothing is fetched.
    :param layers: Layer to take; None: the library's choice for known names, the last one for folders.
    """

    def __init__(self, model: str, *, layers: int | None = None) -> None:
        self.model = model
        self.layers = layers
        self.name = f"{Path(model).name} (bert-score)"
        self._lock = threading.Lock()
        self._scorer: Any = None

    def score(self, answer: str, references: Sequence[str]) -> float:
        """
        Score one answer; a blank one scores 0.

        :param references: Accepted answers, at least one.
        :raises ConfigError: If bert-score is not installed, or the model cannot be loaded.
        """
        gold = [text for text in references if text.strip()]
        if not answer.strip() or not gold:
            return 0.0
        with self._lock:
            _, _, f1 = self._load().score([answer], [gold])
        return float(f1[0])

    def _load(self) -> Any:
        if self._scorer is None:
            library: Any = require("bert_score", extra="rag", need=_NEED)
            try:
                self._scorer = library.BERTScorer(model_type=self.model, num_layers=self._layers())
            except (OSError, KeyError, ValueError) as error:
                raise ConfigError(
                    f"the BERTScore model {self.model!r} cannot be loaded: {error}",
                    field="bertscore_model",
                    hint="Give a folder with a Transformers model, or 'shipped'.",
                ) from error
            tokenizer = getattr(self._scorer, "_tokenizer", None)
            if tokenizer is not None and tokenizer.model_max_length > _NO_LIMIT:
                tokenizer.model_max_length = _MOST_TOKENS
        return self._scorer

    def _layers(self) -> int | None:
        if self.layers is not None or not Path(self.model).is_dir():
            return self.layers
        transformers: Any = require("transformers", extra="rag", need=_NEED)
        return int(transformers.AutoConfig.from_pretrained(self.model).num_hidden_layers)
