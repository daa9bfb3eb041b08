"""
BERTScore F1.

Source: Zhang et al., ICLR 2020, as bert-score computes it, without rescaling; the best over the accepted answers.
Guards: a blank answer scores 0 without asking the model (the library warns and misaligns), and texts are cut to what
the model can read, for tokenizers that state no limit.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import ConfigError
from evaluation.extras import require

DEFAULT_MODEL = "distilbert-base-uncased"
MAX_WORDS = 350
"""About 512 tokens."""
_NO_LIMIT = 1_000_000
_MOST_TOKENS = 512


class BertScorer:
    """
    Scores answers with one model.

    :param model: A hub name, or a folder with a Transformers model: then nothing is fetched.
    :param layers: Layer to take; None: the library's choice for known names, the last one for folders.
    """

    def __init__(self, model: str = DEFAULT_MODEL, *, layers: int | None = None) -> None:
        self.model = model
        self.layers = layers
        self._scorer: Any = None

    def score(self, answers: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
        """
        Score answers.

        :param references: Accepted answers of each; at least one each.
        :raises ConfigError: If bert-score is not installed, or the model cannot be loaded.
        """
        wanted = [at for at, answer in enumerate(answers) if answer.strip()]
        scores = [0.0] * len(answers)
        if not wanted:
            return scores
        texts = [_cut(answers[at]) for at in wanted]
        gold = [[_cut(text) for text in references[at] if text.strip()] or ["-"] for at in wanted]
        _, _, f1 = self._load().score(texts, gold)
        for at, value in zip(wanted, f1.tolist(), strict=True):
            scores[at] = float(value)
        return scores

    def _load(self) -> Any:  # noqa: ANN401 - the library's own class
        if self._scorer is None:
            library: Any = require("bert_score", extra="rag", need="BERTScore")
            layers = self.layers
            if layers is None and Path(self.model).is_dir():
                config: Any = require("transformers", extra="rag", need="BERTScore")
                layers = int(config.AutoConfig.from_pretrained(self.model).num_hidden_layers)
            try:
                self._scorer = library.BERTScorer(model_type=self.model, num_layers=layers)
            except (OSError, KeyError, ValueError) as error:
                raise ConfigError(
                    f"the BERTScore model {self.model!r} cannot be loaded: {error}",
                    field="bertscore_model",
                    hint="Give a folder with a Transformers model.",
                ) from error
            tokenizer = getattr(self._scorer, "_tokenizer", None)
            if tokenizer is not None and tokenizer.model_max_length > _NO_LIMIT:
                tokenizer.model_max_length = _MOST_TOKENS
        return self._scorer


def _cut(text: str) -> str:
    return " ".join(text.split()[:MAX_WORDS])
