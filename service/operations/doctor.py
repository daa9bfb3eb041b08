"""Checks of an installation: what is well, what is not, and what to do about it."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path

from core.errors import LooksyError, ModelError, StoreMissingError
from core.settings import GeneratorKind, ReaderKind, Settings
from core.types import Model

_TRIAL = "Reply with the word yes."
_TRIAL_TOKENS = 16
MIN_PYTHON = (3, 11)
MIN_FREE_BYTES = 1_000_000_000


class _TodoError(LooksyError):
    """Something that the operator has still to set; nothing is broken."""


class Health(StrEnum):
    """How a part is."""

    OK = "ok"
    TODO = "to do"
    BROKEN = "broken"


class Finding(Model):
    """What was found about one part."""

    part: str
    health: Health
    message: str
    hint: str | None = None


Check = Callable[[Settings], str]
"""Returns what is well, or raises a `LooksyError` or `OSError`."""


def examine(settings: Settings) -> Iterator[Finding]:
    """Check one part after the other; a part that is broken does not hide the next."""
    for part, check in CHECKS.items():
        yield _examine(part, check, settings)
    if settings.generator is not GeneratorKind.EXTRACTIVE:
        yield _examine("generator", _generator, settings)


def _examine(part: str, check: Check, settings: Settings) -> Finding:
    try:
        return Finding(part=part, health=Health.OK, message=check(settings))
    except (StoreMissingError, _TodoError) as error:
        return Finding(part=part, health=Health.TODO, message=error.message, hint=error.hint)
    except LooksyError as error:
        return Finding(part=part, health=Health.BROKEN, message=error.message, hint=error.hint)
    except OSError as error:
        return Finding(part=part, health=Health.BROKEN, message=str(error), hint="Mend the file or its permissions.")


def _python(_: Settings) -> str:
    version = ".".join(str(number) for number in sys.version_info[:3])
    if sys.version_info < MIN_PYTHON:
        raise LooksyError(f"Python {version} is too old", hint="Install Python 3.11 or newer.")
    return f"Python {version}, {os.cpu_count()} cores"


def _data_dir(settings: Settings) -> str:
    folder = settings.data_dir.absolute()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(existing, os.W_OK | os.X_OK):
        raise LooksyError(f"{existing} cannot be written", hint="Name another --data-dir, or change its permissions.")
    free = shutil.disk_usage(existing).free
    if free < MIN_FREE_BYTES:
        raise LooksyError(f"only {free / 1e9:.1f} GB are free in {existing}", hint="Make room.")
    return f"{folder}, {free / 1e9:.0f} GB free"


def _models(settings: Settings) -> str:
    from core.paths import MODELS
    from models.evidence import EvidenceModel

    folder = Path(settings.reader_model) if settings.reader_model else None
    shipped = folder or next((path.parent for path in sorted(MODELS.glob("evidence-*/model.onnx"))), MODELS)
    if not (shipped / "model.onnx").is_file():
        if settings.reader is ReaderKind.ONNX:
            raise ModelError(
                f"{shipped} holds no model.onnx, and reader is 'onnx'",
                field="reader_model",
                hint="Set LOOKSY_READER=transformers for a model of the hub, or leave reader_model out.",
            )
        return f"{settings.reader_model}: not a local ONNX model, not checked"
    model = EvidenceModel(shipped)
    model.read([("Who won?", "Ada won the prize.")])
    return f"{model.identity} reads"


def _judge(settings: Settings) -> str:
    from pipelines.contracts.verifier import CHAT
    from pipelines.resources import Resources

    if settings.judge == CHAT:
        return "the chat model judges; see generator"
    verifier = Resources(settings).verifier()
    verifier.judge([("Ada won the prize.", "Ada won the prize on Monday.")])
    return f"{verifier.identity} judges"


def _index(settings: Settings) -> str:
    from indexing.stores.open import open_store

    store = open_store(settings)
    try:
        counts = store.counts(by_month=False)
    finally:
        store.close()
    return f"{counts.articles:,} articles, {counts.passages:,} passages, {len(counts.sources)} sources"


def _publishers(settings: Settings) -> str:
    from scraper.publishers import list_publishers, load_publisher

    names = list_publishers(data_dir=settings.data_dir)
    for name in names:
        load_publisher(name, data_dir=settings.data_dir)
    return f"{len(names)} publisher files, all valid"


def _service_state(settings: Settings) -> str:
    from service.state.database import FILE_NAME, Database

    path = settings.data_dir / FILE_NAME
    if not path.exists():
        return "no run kept yet"
    with Database(path).open() as connection:
        verdict = connection.execute("PRAGMA quick_check").fetchone()[0]
        runs = connection.execute("SELECT count(*) FROM runs").fetchone()[0]
    if verdict != "ok":
        raise LooksyError(f"{path} is damaged: {verdict}", hint="Bring a backup back with 'looksy restore'.")
    return f"{runs:,} runs kept"


def _access(settings: Settings) -> str:
    from service.auth.access import needs_keys
    from service.auth.keys import Keys
    from service.state.database import FILE_NAME, Database

    if not needs_keys(settings):
        return f"{settings.host}: no key asked for"
    path = settings.data_dir / FILE_NAME
    valid = [key for key in Keys(Database(path)).list() if key.revoked_at is None] if path.exists() else []
    if not valid:
        raise LooksyError(
            f"{settings.host} asks for keys and there is none", hint="Make one: looksy keys create NAME --scope run"
        )
    return f"{settings.host}: {len(valid)} valid keys"


def _generator(settings: Settings) -> str:
    """Ask for a real reply, and compare the model's context with the settings'."""
    from pipelines.generation.open_generator import open_generator

    if settings.generator is GeneratorKind.OPENAI:
        from service.api.readiness import check_generator

        check_generator(settings)
    generator = open_generator(settings, settings.generator)
    if generator is None:
        return "none"
    try:
        generator.warm_up()
        started = time.perf_counter()
        generator.complete(({"role": "user", "content": _TRIAL},), max_tokens=_TRIAL_TOKENS, seed=0)
        seconds = time.perf_counter() - started
        context = getattr(generator, "context_tokens", None)
        if context is not None and context < settings.generator_context_tokens:
            raise LooksyError(
                f"{generator.name} has a context of {context} tokens, generator_context_tokens says "
                f"{settings.generator_context_tokens}",
                field="generator_context_tokens",
                hint=f"Set LOOKSY_GENERATOR_CONTEXT_TOKENS={context}.",
            )
        known = f", context {context} tokens" if context is not None else ""
        return f"{generator.identity} replies in {seconds:.1f} s{known}"
    finally:
        generator.close()


def _crawl_contact(settings: Settings) -> str:
    default = Settings.model_fields["crawl_contact"].default
    if settings.crawl_contact != default:
        return settings.crawl_contact
    raise _TodoError(
        f"site owners are told to turn to {default}, which is not yours",
        field="crawl_contact",
        hint="Set LOOKSY_CRAWL_CONTACT to an address of yours, such as mailto:desk@news.example, before you crawl.",
    )


CHECKS: dict[str, Check] = {
    "python": _python,
    "data folder": _data_dir,
    "models": _models,
    "judge": _judge,
    "publishers": _publishers,
    "crawl contact": _crawl_contact,
    "index": _index,
    "runs": _service_state,
    "access": _access,
}
