"""`looksy evaluate verdict`: claims with given evidence test the verifier, claims with a corpus the whole system."""

import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.errors import ConfigError, InputError
from core.progress import Progress, ignore_progress
from core.requests import parse_request
from core.settings import Settings
from core.types import QueryKind, Relation, Result, Verdict
from evaluation.data.formats.claims import Claim, read_claims
from evaluation.data.formats.labels import Label
from evaluation.data.formats.lines import plain_or_gzip
from evaluation.reports.models import Report
from evaluation.runs.ask_system import answered, ask_system, open_engine
from evaluation.runs.fingerprints import hash_files
from evaluation.runs.folder import RunFolder
from evaluation.runs.models import DataInfo
from evaluation.runs.predictions import Answered
from evaluation.runs.session import RunPlan, run_task
from evaluation.tasks.verdict.task import TASK, VerdictItem, VerdictOutput
from pipelines.contracts.verifier import Verifier
from pipelines.engine import Engine
from pipelines.entailment.shipped import ShippedVerifier
from pipelines.resources import Resources

_LABELS = {
    Verdict.VERIFIED: Label.SUPPORTS,
    Verdict.REFUTED: Label.REFUTES,
    Verdict.UNVERIFIED: Label.NEITHER,
    Verdict.CONFLICTING: Label.CONFLICTING,
}
_MOST_QUOTES = 5
Predict = Callable[[VerdictItem], Answered]
Judged = tuple[tuple[float, float, float], float]
"""Probabilities of supports, refutes and neither; and a score, higher for what supports."""
Judge = Callable[[str, Sequence[str]], list[Judged]]


@dataclass(frozen=True)
class VerdictOptions:
    """What to measure, and how."""

    system: str = "verify"
    split: str | None = None
    corpus: Path | None = None
    workers: int = 1
    repeats: int = 1
    fresh: bool = False


def evaluate_verdict(
    path: Path, settings: Settings, options: VerdictOptions, *, progress: Progress = ignore_progress
) -> tuple[RunFolder, Report]:
    """
    Judge claims and score the labels.

    :param path: JSON lines (`evaluation.data.formats.claims`), or a folder with `claims.jsonl` or `queries.jsonl`.
    :raises InputError: If the claims cannot be read, or some have evidence and others none.
    """
    file = _claims_file(path)
    claims = [claim for claim in read_claims(file) if options.split in {None, claim.split}]
    given = [bool(claim.evidence) for claim in claims]
    if given and all(given) and options.corpus is None:
        data = DataInfo(path=str(file), sha256=hash_files([file]), items=len(claims), format="claims")
        with closing(Resources(settings)) as resources:
            predict = verifier_predictor(resources)
            plan = _plan(claims, options, data=data, system="verifier, evidence given", predict=predict)
            return run_task(TASK, plan, settings, fresh=options.fresh, progress=progress)
    if any(given) and options.corpus is None:
        bare = next(claim.id for claim in claims if not claim.evidence)
        raise InputError(f"claim {bare} has no evidence, others have", field="evidence", hint="Give --corpus FILE.")
    searched = [claim.model_copy(update={"evidence": ()}) for claim in claims]
    with open_engine(file, settings, corpus=options.corpus, progress=progress) as opened:
        predict = system_predictor(opened.engine, options.system)
        who = f"{options.system}, evidence searched"
        plan = _plan(searched, options, data=opened.data(len(claims), "claims"), system=who, predict=predict)
        return run_task(TASK, plan, settings, fresh=options.fresh, progress=progress)


def _claims_file(path: Path) -> Path:
    if path.is_dir():
        for name in ("claims.jsonl", "queries.jsonl"):
            if (file := plain_or_gzip(path / name)).is_file():
                return file
        raise InputError(f"{path} holds neither claims.jsonl nor queries.jsonl", field="data", hint="Give a file.")
    return path


def _plan(
    claims: list[Claim], options: VerdictOptions, *, data: DataInfo, system: str, predict: Predict
) -> RunPlan[VerdictItem]:
    return RunPlan(
        title=f"Verdicts: {system}, on {Path(data.path).name}" + (f", {options.split}" if options.split else ""),
        data=data,
        items=[
            VerdictItem(
                id=claim.id,
                text=claim.text,
                label=claim.label,
                evidence=claim.evidence,
                pair=claim.pair,
                date=claim.date,
                phenomenon=claim.phenomenon,
            )
            for claim in claims
        ],
        system=system,
        predict=predict,
        options={"split": options.split},
        workers=options.workers,
        repeats=options.repeats,
    )


def verifier_predictor(resources: Resources) -> Predict:
    """Judge each piece of evidence on its own, calibrated; the piece that says most about the claim decides."""
    verifier = resources.verifier()
    judge = _by_logits(verifier) if isinstance(verifier, ShippedVerifier) else _by_probabilities(verifier)

    def predict(item: VerdictItem) -> Answered:
        judged = judge(item.text, item.evidence)
        best, score = min(judged, key=lambda one: one[0][2])
        probabilities = dict(zip((Label.SUPPORTS, Label.REFUTES, Label.NEITHER), best, strict=True))
        label = max(probabilities, key=lambda one: probabilities[one])
        return Answered(
            output=VerdictOutput(label=label, confidence=probabilities[label], probabilities=probabilities, score=score)
        )

    return predict


def _by_logits(verifier: ShippedVerifier) -> Judge:
    """Score by the logits, which tell apart what the probabilities round."""
    lock = threading.Lock()

    def judge(claim: str, evidence: Sequence[str]) -> list[Judged]:
        with lock:
            readings = verifier.model.read([(claim, text) for text in evidence])
        judged = [(verifier.weigh(reading), reading.relation_logits) for reading in readings]
        return [((one.supports, one.refutes, one.neither), logits[0] - logits[1]) for one, logits in judged]

    return judge


def _by_probabilities(verifier: Verifier) -> Judge:
    def judge(claim: str, evidence: Sequence[str]) -> list[Judged]:
        found = verifier.judge([(claim, text) for text in evidence])
        return [((one.supports, one.refutes, one.neither), one.supports - one.refutes) for one in found]

    return judge


def system_predictor(engine: Engine, system: str) -> Predict:
    """Ask a system as a user would; a failed result is a failure, not a verdict."""

    def predict(item: VerdictItem) -> Answered:
        request = parse_request({"text": item.text, "kind": QueryKind.STATEMENT, "as_of": item.date})
        result = ask_system(engine, system, request)
        if result.verdict is None:
            raise ConfigError(f"system {system} gives no verdicts", field="system", hint="Use verify or agent.")
        return answered(result, _output(result, result.verdict))

    return predict


def _output(result: Result, verdict: Verdict) -> VerdictOutput:
    quotes = [quote for reference in result.references for quote in reference.quotes]
    best = {
        relation: max((quote.score for quote in quotes if quote.relation is relation), default=0.0)
        for relation in (Relation.SUPPORTS, Relation.REFUTES)
    }
    return VerdictOutput(
        label=_LABELS[verdict],
        confidence=result.confidence.value if result.confidence else 0.5,
        score=best[Relation.SUPPORTS] - best[Relation.REFUTES],
        answer=result.answer,
        quotes=tuple(f"[{quote.relation.value}] {quote.text}" for quote in quotes[:_MOST_QUOTES]),
        stage_ms=result.timings,
    )
