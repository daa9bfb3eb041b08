"""Any Hugging Face cross-encoder for entailment, labels mapped from its configuration. Needs the extra [models]."""

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from haystack import default_to_dict

from core.errors import ConfigError, ModelError
from models.calibration import UNFITTED, VerdictThresholds
from pipelines.contracts.verifier import Judgement

BATCH_SIZE = 16
_PARTS = {
    "supports": ("entail", "support", "true", "yes"),
    "refutes": ("contradict", "refut", "false", "no_"),
    "neither": ("neutral", "not enough", "nei", "unknown", "other"),
}


class CrossEncoderVerifier:
    """
    Judge with a sequence classifier that reads (premise, statement).

    :param model: Folder or hub name.
    :param device: Torch device; None: CUDA if there is one, else CPU.
    """

    def __init__(self, model: str, *, device: str | None = None) -> None:
        self.model = model
        self.device = device
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any, dict[str, int]] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments as Haystack writes them into a pipeline file."""
        return default_to_dict(self, model=self.model, device=self.device)

    @property
    def identity(self) -> str:
        """Return the model's name and, once loaded, the revision that its configuration names."""
        revision = getattr(self._loaded[1].config, "_commit_hash", None) if self._loaded else None
        return f"{self.model}@{revision}" if revision else self.model

    @property
    def method(self) -> str:
        """Return where the probabilities come from: the model's own softmax."""
        return f"{self.model}: softmax, uncalibrated"

    @property
    def thresholds(self) -> VerdictThresholds:
        """Return those for what nothing was fitted for."""
        return UNFITTED

    def load(self) -> None:
        """
        Load the model; loading twice is harmless.

        :raises ConfigError: If the extra is not installed.
        :raises ModelError: If the model cannot be loaded, or its labels are not those of entailment.
        """
        with self._lock:
            if self._loaded is None:
                self._loaded = self._open()

    def reads_whole(self, statement: str) -> bool:
        """Say yes: premises alone are cut."""
        return True

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (statement, premise) pairs."""
        self.load()
        assert self._loaded is not None  # noqa: S101 - load sets it or raises
        import torch

        tokenizer, model, labels = self._loaded
        judgements: list[Judgement] = []
        for start in range(0, len(pairs), BATCH_SIZE):
            batch = pairs[start : start + BATCH_SIZE]
            inputs = tokenizer(
                [premise for _, premise in batch],
                [statement for statement, _ in batch],
                truncation="only_first",
                padding=True,
                max_length=min(512, tokenizer.model_max_length),
                return_tensors="pt",
            )
            with torch.inference_mode():
                logits = model(**inputs.to(model.device)).logits.float()  # (batch, labels)
            judgements += [_judgement(row, labels) for row in logits.softmax(dim=-1).tolist()]
        return judgements

    def _open(self) -> tuple[Any, Any, dict[str, int]]:
        try:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError as error:
            raise ConfigError(
                f"judge is {self.model!r}, and transformers is not installed",
                field="judge",
                hint="Install the extra: pip install 'looksy[models]'.",
            ) from error
        try:
            tokenizer = AutoTokenizer.from_pretrained(self.model)
            model = AutoModelForSequenceClassification.from_pretrained(self.model)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"judge {self.model!r} cannot be loaded: {error}",
                field="judge",
                hint="Give a folder, or fetch it with 'looksy models pull'.",
            ) from error
        device = self.device or ("cuda" if torch.cuda.is_available() else "cpu")
        return tokenizer, model.to(device).eval(), label_indexes(model.config.id2label)


def label_indexes(id2label: Mapping[int, str]) -> dict[str, int]:
    """
    Find supports, refutes and neither among a model's labels, by their names.

    A model with two labels (entailment and not) has no `refutes`.

    :raises ModelError: If no label means entailment, or nothing else is left beside it.
    """
    found: dict[str, int] = {}
    for index, label in id2label.items():
        name = label.lower().replace("-", "_")
        if name.startswith(("not_entail", "not entail")):
            found["neither"] = int(index)
            continue
        for part, beginnings in _PARTS.items():
            if part not in found and any(name.startswith(beginning) for beginning in beginnings):
                found[part] = int(index)
                break
    if "supports" not in found or "neither" not in found:
        raise ModelError(
            f"the labels {', '.join(id2label.values())} are not those of an entailment model",
            field="judge",
            hint="Use a model whose labels are entailment, contradiction and neutral.",
        )
    return found


def _judgement(row: list[float], labels: Mapping[str, int]) -> Judgement:
    supports = row[labels["supports"]]
    refutes = row[labels["refutes"]] if "refutes" in labels else 0.0
    return Judgement(
        supports=min(1.0, supports), refutes=min(1.0, refutes), neither=min(1.0, max(0.0, 1.0 - supports - refutes))
    )
