"""`looksy evaluate claims`: texts with marked sentences test what is taken; texts with statements, the whole check."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.paths import DATASETS
from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Verdict
from evaluation.data.formats.claims import read_claims
from evaluation.data.formats.lines import plain_or_gzip, read_objects
from evaluation.data.formats.marked_texts import MarkedText, read_marked_texts
from evaluation.reports.models import Report
from evaluation.runs.ask_system import open_engine
from evaluation.runs.fingerprints import hash_files
from evaluation.runs.folder import RunFolder
from evaluation.runs.models import DataInfo
from evaluation.runs.predictions import Answered
from evaluation.runs.session import RunPlan, run_task
from evaluation.tasks.claims.compose import compose_texts, empty_sentences
from evaluation.tasks.claims.task import TASK, ClaimsItem, ClaimsOutput, FoundClaim
from pipelines.claims import Claim, find_claims
from pipelines.systems.check import CheckedClaim, CheckRequest, TextChecker

MARKED = DATASETS / "claims" / "texts.jsonl"
_STATEMENTS = ("claims.jsonl", "queries.jsonl", "retold.jsonl")
Predict = Callable[[ClaimsItem], Answered]


@dataclass(frozen=True)
class ClaimsOptions:
    """What to measure, and how."""

    split: str | None = None
    corpus: Path | None = None
    fresh: bool = False


@dataclass(frozen=True)
class _Texts:
    """Texts that were read or composed."""

    texts: Sequence[MarkedText]
    files: tuple[Path, ...]
    kind: str
    name: str
    """Of the file or folder."""


def evaluate_claims(
    path: Path | None, settings: Settings, options: ClaimsOptions, *, progress: Progress = ignore_progress
) -> tuple[RunFolder, Report]:
    """
    Find the claims of texts, judge those with a verdict in the data, and score both.

    :param path: Marked texts (`evaluation.data.formats.marked_texts`); or labelled statements, or a folder of such
        files, of which texts are composed; None: the bundled marked texts.
    :raises InputError: If the data cannot be read, or a statement brings its own evidence.
    """
    data = _read(path or MARKED, options)
    items = [
        ClaimsItem(id=one.id, text=one.text, written_on=one.written_on, sentences=one.sentences) for one in data.texts
    ]
    if any(sentence.verdict for item in items for sentence in item.sentences):
        with open_engine(data.files[0], settings, corpus=options.corpus, progress=progress) as opened:
            checker = TextChecker(opened.engine)
            info = opened.data(len(items), data.kind, data.files[1:])
            plan = _plan(items, info, data, options, predict=lambda item: _check(checker, item))
            return run_task(TASK, plan, settings, fresh=options.fresh, progress=progress)
    info = DataInfo(path=str(data.files[0]), sha256=hash_files(list(data.files)), items=len(items), format=data.kind)
    return run_task(
        TASK, _plan(items, info, data, options, predict=_find), settings, fresh=options.fresh, progress=progress
    )


def _read(path: Path, options: ClaimsOptions) -> _Texts:
    files = _files(path)
    if not _holds_statements(files[0]):
        texts = [text for text in read_marked_texts(path) if options.split in {None, text.part}]
        return _Texts(texts, files, "marked texts", path.name)
    statements = [claim for file in files for claim in read_claims(file) if options.split in {None, claim.split}]
    if given := next((claim.id for claim in statements if claim.evidence), None):
        hint = "Leave evidence out, or use 'looksy evaluate verdict'."
        raise InputError(f"statement {given} brings its evidence, and a text has none", field="data", hint=hint)
    if not statements:
        raise InputError(f"{path} has no statement of split {options.split!r}", field="split", hint="Name another.")
    marked = read_marked_texts(MARKED)
    parts = {text.part for text in marked}
    own = [text for text in marked if options.split not in parts or text.part == options.split]
    return _Texts(compose_texts(statements, empty_sentences(own)), (*files, MARKED), "statements", path.name)


def _files(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        return (path,)
    files = tuple(file for name in _STATEMENTS if (file := plain_or_gzip(path / name)).is_file())
    if not files:
        raise InputError(f"{path} holds none of {', '.join(_STATEMENTS)}", field="data", hint="Give a file.")
    return files


def _holds_statements(file: Path) -> bool:
    if file.name.removesuffix(".gz").endswith(".csv"):
        return False
    first = next(read_objects(file), None)
    return first is not None and "sentences" not in first[1]


def _plan(
    items: list[ClaimsItem], info: DataInfo, data: _Texts, options: ClaimsOptions, *, predict: Predict
) -> RunPlan[ClaimsItem]:
    notes = ("Texts were composed from the statements, with sentences between them that are not claims.",)
    return RunPlan(
        title=f"Claims of {data.kind}, {data.name}" + (f", {options.split}" if options.split else ""),
        data=info,
        items=items,
        system="check",
        predict=predict,
        options={"split": options.split},
        notes=notes if data.kind == "statements" else (),
    )


def _find(item: ClaimsItem) -> Answered:
    """Find the claims of a text; none is judged."""
    claims = find_claims(item.text, written_on=item.written_on).claims
    found = tuple(_found(one, unclear=bool(one.unclear)) for one in claims)
    return Answered(output=ClaimsOutput(claims=found))


def _check(checker: TextChecker, item: ClaimsItem) -> Answered:
    """Check a text as a user would."""
    checked = checker.check(CheckRequest(text=item.text, written_on=item.written_on))
    found = tuple(_found(one, unclear=one.run_id is None, verdict=one.verdict) for one in checked.claims)
    return Answered(output=ClaimsOutput(claims=found, stage_ms=checked.timings))


def _found(claim: Claim | CheckedClaim, *, unclear: bool, verdict: Verdict | None = None) -> FoundClaim:
    return FoundClaim(
        start=claim.start,
        end=claim.end,
        standalone=claim.standalone,
        worth=claim.check_worthiness,
        unclear=unclear,
        verdict=verdict,
    )
