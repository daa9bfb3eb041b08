"""
Pipelines from YAML files (`configs/pipelines/`).

A file holds Haystack's `components` and `connections`, and four keys of ours, which are taken out before Haystack
reads it:

- `choices`: component name to `setting` (the name of a setting, or of an option of the request) and `of` (value to
  component). The chosen one becomes the component of that name.
- `stages`: component name to the stage that its time counts for.
- `extends`: name of another pipeline file: its components, choices and stages are taken over where this file has none
  of that name, and its connections are kept.

A constructor parameter that a file leaves open is filled where it has the name of a slot: a store, a model, settings.

Only modules of Haystack and of our `pipelines`, `indexing.stores`, `models` and `core.settings` may be named.
"""

import hashlib
import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from haystack import Pipeline
from haystack.core.errors import DeserializationError, PipelineError
from haystack.core.serialization import DeserializationCallbacks

from core.errors import ConfigError, LooksyError
from core.paths import CONFIGS
from core.progress import Stage

ALLOWED_MODULES = ["pipelines.*", "indexing.stores.*", "models.*", "core.settings"]
_OLD_PLACE = "pipelines.components."
_MOVED = {
    "agent_analyst.AgentAnalyst": "systems.agent.analyst.AgentAnalyst",
    "agent_loader.AgentLoader": "systems.agent.loader.AgentLoader",
    "agent_searcher.AgentSearcher": "systems.agent.searcher.AgentSearcher",
    "chat.ChatAnswerer": "generation.chat_answerer.ChatAnswerer",
    "checker.AnswerChecker": "attribution.citation_checker.CitationChecker",
    "counter_chooser.CounterChooser": "systems.counter.chooser.CounterChooser",
    "counter_quoter.CounterQuoter": "systems.counter.quoter.CounterQuoter",
    "counter_writer.CounterWriter": "systems.counter.writer.CounterWriter",
    "extractive.ExtractiveGenerator": "generation.extractive.ExtractiveGenerator",
    "guard.InstructionGuard": "injection.guard.InstructionGuard",
    "lateral_answerer.LateralAnswerer": "systems.lateral.answerer.LateralAnswerer",
    "lateral_asker.LateralAsker": "systems.lateral.asker.LateralAsker",
    "lateral_retriever.SegmentRetriever": "systems.lateral.segment_retriever.SegmentRetriever",
    "lateral_source.LateralSource": "systems.lateral.source.LateralSource",
    "loader.ArticleLoader": "retrieval.article_loader.ArticleLoader",
    "picker.EvidencePicker": "evidence.sentence_selector.SentenceSelector",
    "reader.EvidenceReader": "reading.span_reader.EvidenceReader",
    "reader_transformers.TransformersReader": "reading.transformers_reader.TransformersReader",
    "retrievers.bm25.Bm25Retriever": "retrieval.bm25.Bm25Retriever",
    "retrievers.collapse.DocumentCollapser": "retrieval.collapse.DocumentCollapser",
    "retrievers.embedding.EmbeddingRetriever": "retrieval.embedding.EmbeddingRetriever",
    "retrievers.hybrid.HybridRetriever": "retrieval.hybrid.HybridRetriever",
    "retrievers.tfidf.TfidfRetriever": "retrieval.tfidf.TfidfRetriever",
    "self_verifier.SelfVerifier": "generation.self_verification.SelfVerifier",
    "side_finder.SideFinder": "systems.perspectives.side_finder.SideFinder",
    "supporter.SupportChecker": "attribution.support_checker.SupportChecker",
    "thesis_finder.ThesisFinder": "systems.perspectives.thesis_finder.ThesisFinder",
    "thesis_judge.ThesisJudge": "systems.perspectives.thesis_judge.ThesisJudge",
    "thesis_writer.ThesisWriter": "systems.perspectives.thesis_writer.ThesisWriter",
    "verdict.VerdictWriter": "evidence.verdict.VerdictWriter",
    "verifier.EvidenceVerifier": "entailment.evidence_verifier.EvidenceVerifier",
}
"""Component types that have moved: what followed `pipelines.components.`, and what follows `pipelines.` today."""


@dataclass(frozen=True)
class PipelineFile:
    """One pipeline file, read and checked as far as YAML goes."""

    path: Path
    components: dict[str, Any]
    connections: list[dict[str, str]]
    choices: dict[str, Any]
    stages: dict[str, Stage]
    content_hash: str

    def choose(self, values: Mapping[str, object]) -> dict[str, Any]:
        """
        Return the Haystack dictionary with one component per choice.

        :param values: Setting or option name to value.
        :raises ConfigError: For a value that the file does not offer.
        """
        components = dict(self.components)
        for name, choice in self.choices.items():
            value = str(values.get(choice["setting"]))
            if value not in choice["of"]:
                raise ConfigError(
                    f"{choice['setting']} is {value!r}",
                    field=choice["setting"],
                    hint=f"Use one of: {', '.join(choice['of'])}.",
                )
            components[name] = choice["of"][value]
        return {"components": components, "connections": self.connections}


def read_pipeline_file(name: str, *, folder: Path = CONFIGS / "pipelines") -> PipelineFile:
    """
    Read `configs/pipelines/<name>.yaml`.

    :raises ConfigError: If it is missing, is not valid YAML, or holds unknown keys or stages.
    """
    path = folder / f"{name}.yaml"
    data, text = _read(path)
    if (base := data.pop("extends", None)) is not None:
        below, base_text = _read(folder / f"{base}.yaml")
        if "extends" in below:
            raise ConfigError(f"{base} extends a file itself", field="extends", hint="Extend a file that does not.")
        data, text = _extended(below, data), f"{base_text}\n{text}"
    try:
        stages = {component: Stage(value) for component, value in data.get("stages", {}).items()}
    except ValueError as error:
        raise ConfigError(f"{path}: {error}", field="stages", hint=f"Use one of: {', '.join(Stage)}.") from error
    return PipelineFile(
        path=path,
        components=data["components"],
        connections=data["connections"],
        choices=data.get("choices", {}),
        stages=stages,
        content_hash=hashlib.sha256(text.encode()).hexdigest()[:16],
    )


def _read(path: Path) -> tuple[dict[str, Any], str]:
    """Return a file's content, and its text."""
    try:
        text = path.read_text(encoding="utf-8")
        data = yaml.safe_load(text)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path} cannot be read: {error}", field="pipeline", hint="Mend the file.") from error
    _check_keys(path, data)
    _rename_types(path, data)
    return data, text


def _rename_types(path: Path, data: dict[str, Any]) -> None:
    """Put today's name in place of a component type that has moved, and warn of it."""
    described = [*data["components"].values()]
    described += [one for choice in data.get("choices", {}).values() for one in choice["of"].values()]
    for one in described:
        old = str(one.get("type")) if isinstance(one, dict) else ""
        new = _MOVED.get(old.removeprefix(_OLD_PLACE)) if old.startswith(_OLD_PLACE) else None
        if new is None:
            continue
        one["type"] = f"pipelines.{new}"
        warnings.warn(
            f"{path}: the component type {old} is now {one['type']}; the old name goes with the next release",
            FutureWarning,
            stacklevel=2,
        )


def _extended(below: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """Put a file over the one that it extends; a component in the one replaces a choice in the other."""
    own = set(data["components"]) | set(data.get("choices", {}))
    kept = {
        key: {name: value for name, value in below.get(key, {}).items() if name not in own}
        for key in ("components", "choices")
    }
    return {
        "components": kept["components"] | data["components"],
        "choices": kept["choices"] | data.get("choices", {}),
        "stages": below.get("stages", {}) | data.get("stages", {}),
        "connections": below["connections"] + data["connections"],
    }


def _check_keys(path: Path, data: object) -> None:
    if not isinstance(data, dict):
        raise ConfigError(f"{path} must hold a mapping", field="pipeline", hint="Mend the file.")
    unknown = set(data) - {"components", "connections", "choices", "stages", "extends"}
    missing = {"components", "connections"} - set(data)
    if unknown or missing:
        raise ConfigError(
            f"{path}: unknown keys {sorted(unknown)}, missing keys {sorted(missing)}",
            field="pipeline",
            hint="Use components, connections, choices, stages and extends.",
        )


def build_pipeline(
    file: PipelineFile, values: Mapping[str, object], *, slots: Mapping[str, Callable[[], object]] | None = None
) -> Pipeline:
    """
    Make the Haystack pipeline.

    :param values: Setting or option name to value, for the file's choices.
    :param slots: Constructor parameter to what makes it, for the parameters that the file leaves open.
    :raises ConfigError: If a component or connection cannot be made, or lies outside the allowed modules.
    :raises LooksyError: What the maker of a slot raised.
    """
    failed: list[LooksyError] = []

    def fill(_name: str, component: type, parameters: dict[str, Any]) -> None:
        for name in inspect.signature(component.__init__).parameters:  # type: ignore[misc]  # a class of Haystack's metaclass
            if name in makers and name not in parameters:
                try:
                    parameters[name] = makers[name]()
                except LooksyError as error:
                    failed.append(error)
                    raise

    makers, data = slots or {}, file.choose(values)
    try:
        callbacks = DeserializationCallbacks(component_pre_init=fill)
        return Pipeline.from_dict(data, callbacks, allowed_modules=ALLOWED_MODULES)
    except (LooksyError, DeserializationError, PipelineError, ImportError, TypeError, KeyError) as error:
        if failed:
            raise failed[0] from error
        raise ConfigError(f"{file.path}: {error}", field="pipeline", hint="Mend the file.") from error
