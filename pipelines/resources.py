"""What the components of all pipelines share: the store and the models, opened when they are first needed."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from core.errors import ModelError
from core.paths import MODELS
from core.settings import GeneratorKind, ReaderKind, Settings
from indexing.stores.contract import EvidenceStore
from indexing.stores.open import open_store
from models.calibration import UNCALIBRATED, Calibration, load_calibration
from models.evidence import EvidenceModel
from pipelines.contracts.generator import Generator
from pipelines.contracts.verifier import Verifier
from pipelines.entailment.open_verifier import open_verifier
from pipelines.generation.open_generator import open_generator

SHIPPED_EVIDENCE_MODEL = MODELS / "evidence-minilm-l6"


class Resources:
    """
    Open the store and the models of the settings, each once.

    :param settings: How this installation runs.
    :param store: Use this store instead of the one that the settings name.
    """

    def __init__(self, settings: Settings, *, store: EvidenceStore | None = None) -> None:
        self.settings = settings
        self._lock = threading.RLock()
        self._store = store
        self._evidence_model: EvidenceModel | None = None
        self._calibration: Calibration | None = None
        self._verifier: Verifier | None = None
        self._generators: tuple[Generator | None, Generator | None] | None = None

    def store(self) -> EvidenceStore:
        """
        Return the store.

        :raises StoreError: If there is none yet, or it cannot be used.
        """
        with self._lock:
            if self._store is None:
                self._store = open_store(self.settings)
            return self._store

    def evidence_model(self) -> EvidenceModel:
        """Return the ONNX evidence model; it loads itself on first use."""
        with self._lock:
            if self._evidence_model is None:
                named = self.settings.reader_model if self.settings.reader is ReaderKind.ONNX else None
                folder = Path(named) if named else SHIPPED_EVIDENCE_MODEL
                self._evidence_model = EvidenceModel(folder, threads=self.settings.threads)
            return self._evidence_model

    def calibration(self) -> Calibration:
        """Return what the evidence model's scores are worth."""
        with self._lock:
            if self._calibration is None:
                model = self.evidence_model()
                self._calibration = load_calibration(model.folder, model=model.identity)
            return self._calibration

    def answer_calibration(self) -> Calibration:
        """Return what the reader's answers are worth; another reader than the evidence model has no calibration."""
        return self.calibration() if self.settings.reader is ReaderKind.ONNX else UNCALIBRATED

    def verifier(self) -> Verifier:
        """Return the verifier of the settings; its model loads itself on first use."""
        with self._lock:
            if self._verifier is None:
                self._verifier = open_verifier(
                    self.settings, self.evidence_model(), self.calibration(), generator=self.generator()
                )
            return self._verifier

    def generator(self) -> Generator | None:
        """
        Return the chat model of the settings; None: answers are extractive.

        :raises ConfigError: If a setting that it needs is missing.
        """
        with self._lock:
            if self._generators is None:
                second = self.settings.generator_fallback or GeneratorKind.EXTRACTIVE
                self._generators = (
                    open_generator(self.settings, self.settings.generator),
                    open_generator(self.settings, second, second=True),
                )
            return self._generators[0]

    def second_generator(self) -> Generator | None:
        """Return the chat model to fall back on; None: there is none."""
        self.generator()
        return self._generators[1] if self._generators else None

    def slots(self) -> dict[str, Callable[[], object]]:
        """Return what fills the constructor parameters that a pipeline file leaves open, by the parameter's name."""
        return {
            "document_store": self.store,
            "open_store": lambda: self.store,
            "reader": self.evidence_model,
            "calibration": self.calibration,
            "answer_calibration": self.answer_calibration,
            "verifier": self.verifier,
            "generator": self.generator,
            "second_generator": self.second_generator,
            "settings": lambda: self.settings,
            "reader_model": lambda: self.settings.reader_model,
            "embedder_model": lambda: self.settings.embedder_model,
            "threads": lambda: self.settings.threads,
        }

    def model_identities(self) -> dict[str, str]:
        """
        Return role to name and hash, of the models in use.

        What a server runs is known by its name alone. A model whose files cannot be read has none.
        """
        found = {} if self._evidence_model is None else {"evidence": identity_of(self._evidence_model)}
        if self._verifier is not None and identity_of(self._verifier) not in found.values():
            found["verifier"] = identity_of(self._verifier)
        for role, generator in zip(("generator", "generator_fallback"), self._generators or (), strict=False):
            if generator is not None:
                found[role] = generator.identity
        return found

    def close(self) -> None:
        """Close the store; closing twice is harmless."""
        with self._lock:
            if self._store is not None:
                self._store.close()
            self._store = None
            for generator in self._generators or ():
                if generator is not None:
                    generator.close()
            self._generators = None


class _Identified(Protocol):
    """What names its model, with the hash of its files; empty: it has none."""

    @property
    def identity(self) -> str: ...


def identity_of(model: _Identified) -> str:
    """Return the name; of a model whose files cannot be read, a word for that."""
    try:
        return model.identity
    except ModelError:
        return "unreadable"
