"""Do a recorded run again, and say what came out differently."""

import json
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, Protocol

from core.errors import InputError
from core.progress import Progress, ignore_progress
from core.settings import GeneratorKind, SearchKind, Settings, load_settings, secret_names
from core.types import Model, Request, Result, RunRecord
from pipelines.contracts.verifier import NAMED, SMALL
from pipelines.runs.context import recorded_replies

NOT_COMPARED = frozenset({"run_id", "run", "timings", "checked_before"})
"""Of a result: what differs between any two runs."""
RECORD_COMPARED = ("snapshot_id", "models", "pipeline_hash", "version", "retrieved", "digests", "verdict_inputs")
HERE = frozenset(
    {
        "data_dir",
        "profile",
        "host",
        "port",
        "keep_runs",
        "user_header",
        "reviewers",
        "recheck",
        "recheck_searches",
        "recheck_asks",
    }
)
"""Settings that say where this installation is, not what it answers."""
PLACES = frozenset(
    {
        "store_url",
        "store_index",
        "store_user",
        "store_ca_file",
        "reader_model",
        "judge",
        "embedder_model",
        "generator_url",
        "generator_fallback_url",
        "search_url",
        "search_command",
        "search_tool",
        "source_grades",
        "telemetry_url",
    }
)
"""Settings that name an address, a command, a login or files: none that a record, which may be anybody's, decides."""
_OLD_JUDGE = "verifier_model"
"""Setting of runs from before there was a judge: `chat`, a model, or none for the small one."""
_MODELS_TO_LOAD = frozenset({"generator_model", "generator_fallback_model"})
"""Names for a server; folders, or something to be fetched, where this process runs the model."""
_NOWHERE = {
    "generator_url": "http://recorded.invalid/v1",
    "generator_fallback_url": "http://recorded.invalid/v1",
    "search_url": "http://recorded.invalid",
    "search_command": "recorded.invalid",
}
"""What stands for a place that the record has and this installation lacks, where only recorded replies are used."""
_SHOWN = 240
_FEW = 3


class Difference(Model):
    """One thing that came out differently."""

    field: str
    """Dotted path; a number is a place in a list."""
    before: str
    after: str


class Replay(Model):
    """A run beside its repetition."""

    run_id: str
    identical: bool
    """Retrieval, reading, replies, checking and answer are equal to the letter."""
    same_index: bool
    """The index holds what it held then; if not, differences are to be expected."""
    same_settings: bool
    """The repetition ran with the settings of the run, those of `HERE` and secrets apart."""
    fresh: bool
    """The model was asked again instead of using the recorded replies."""
    differences: tuple[Difference, ...]
    result: Result


class Runner(Protocol):
    """Runs requests; `pipelines.engine.Engine` is one."""

    def run(self, system: str, request: Request, *, progress: Progress = ignore_progress) -> Result:
        """Answer a request; what `progress` raises stops the work."""
        ...


def record_of(result: Result) -> RunRecord:
    """
    Return the record of a result.

    :raises InputError: If it has none.
    """
    if result.run is None:
        raise InputError("this result has no run record", field="run", hint="Use a file of <data_dir>/runs.")
    return result.run


def settings_of(result: Result, here: Settings, *, fresh: bool = False) -> Settings:
    """
    Return the settings of a run, with this installation's places and secrets.

    :param fresh: Models and other search engines will be asked again: only where this installation says.
    :raises InputError: If the result has no record.
    :raises ConfigError: If the record holds a setting that this version does not know.
    """
    record = record_of(result)
    names = HERE | PLACES | secret_names() | ({"search_backend"} if fresh else set())
    kinds = (record.settings.get("generator", here.generator), record.settings.get("generator_fallback"))
    if not {GeneratorKind.TRANSFORMERS, GeneratorKind.LLAMA_CPP}.isdisjoint(kinds):
        names |= _MODELS_TO_LOAD
    places = {name: getattr(here, name) for name in names}
    if not fresh:
        places |= {name: _NOWHERE[name] for name in _NOWHERE.keys() & record.settings if places[name] is None}
        if record.settings.get("search_backend") == SearchKind.BRAVE and here.search_api_key is None:
            places["search_api_key"] = "recorded"
    if (judge := _judge_of(record.settings)) in NAMED:  # neither a folder nor a name on the hub
        places["judge"] = judge
    recorded = {name: value for name, value in record.settings.items() if name not in places | {_OLD_JUDGE: None}}
    flags = {name: value for name, value in (recorded | places).items() if value is not None}
    if "generator_fallback" not in record.settings:
        return load_settings(flags, environment={}).model_copy(update={"generator_fallback": None})
    return load_settings(flags, environment={})


def replay(before: Result, runner: Runner, *, fresh: bool = False, progress: Progress = ignore_progress) -> Replay:
    """
    Run the request of a result again.

    :param before: With its run record.
    :param runner: With the settings of the run, see `settings_of`.
    :param fresh: Ask the model again; otherwise its recorded replies are used, and no model is asked.
    :raises InputError: If the result has no record.
    """
    record = record_of(before)
    with nullcontext() if fresh else recorded_replies(record.calls):
        after = runner.run(before.system, before.request, progress=progress)
    differences = tuple(compare(_comparable(before), _comparable(after)))
    return Replay(
        run_id=record.run_id,
        identical=not differences,
        same_index=after.run is not None and after.run.snapshot_id == record.snapshot_id,
        same_settings=after.run is not None and not different_settings(record, after.run),
        fresh=fresh,
        differences=differences,
        result=after,
    )


def _judge_of(settings: Mapping[str, Any]) -> str:
    if "judge" in settings or _OLD_JUDGE not in settings:
        return str(settings.get("judge", ""))
    return str(settings[_OLD_JUDGE] or SMALL)


def compare(before: object, after: object, *, path: str = "") -> list[Difference]:
    """
    List what differs between two JSON values, in order.

    :param path: Of the values; empty for the whole.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        names = [*before, *(name for name in after if name not in before)]
        pairs = [(f"{path}.{name}".strip("."), before.get(name), after.get(name)) for name in names]
        return [found for where, old, new in pairs for found in compare(old, new, path=where)]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = [(f"{path}.{place}", old, new) for place, (old, new) in enumerate(zip(before, after, strict=True))]
        return [found for where, old, new in pairs for found in compare(old, new, path=where)]
    if before == after:
        return []
    return [Difference(field=path, before=_short(before), after=_short(after))]


def _comparable(result: Result) -> dict[str, Any]:
    plain = result.model_dump(mode="json", exclude=set(NOT_COMPARED))
    if result.run is not None:
        record = result.run.model_dump(mode="json")
        plain |= {name: record[name] for name in RECORD_COMPARED}
        plain["calls"] = [
            {name: value for name, value in call.items() if name != "duration_ms"} for call in record["calls"]
        ]
    return plain


def different_settings(before: RunRecord, after: RunRecord) -> list[str]:
    """Name the settings that differ between two runs, in order; those of `HERE` are not compared."""
    ours, theirs = _comparable_settings(before), _comparable_settings(after)
    return sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))


def _comparable_settings(record: RunRecord) -> dict[str, Any]:
    return {name: value for name, value in record.settings.items() if name not in HERE}


def _short(value: object) -> str:
    if isinstance(value, list | Mapping):
        text = f"{len(value)} entries" if len(value) > _FEW else json.dumps(value, ensure_ascii=False)
    else:
        text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
