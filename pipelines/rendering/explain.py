"""A run record as a person would want it: what was searched, read, written and checked, and why the verdict is so."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.types import ModelCall, Result, RunRecord
from pipelines.rendering.escape import markdown_text

SHOWN_PASSAGES = 5


def explain(result: Result) -> str:
    """
    Write how a result came about.

    :returns: Markdown that ends with a line break; one sentence if the result has no record.
    """
    record = result.run
    if record is None:
        return "No record was kept of how this came about.\n"
    parts = [
        "## How this came about",
        _searched(result, record),
        _read(record),
        _judged(record.verdict_inputs.get("evidence", [])),
        *[_call(call) for call in record.calls],
        _sentences(record.verdict_inputs.get("sentences", [])),
        _self_verification(record.verdict_inputs.get("self_verification")),
        _identity(result, record),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _searched(result: Result, record: RunRecord) -> str:
    coverage = result.searched
    held = f" among {coverage.articles} articles, {coverage.passages} passages" if coverage else ""
    head = f"**Searched**{held}: {len(record.retrieved)} passages came back. The first:"
    rows = [
        f"{rank}. `{item.passage_id}`" + (f" ({item.score:.2f})" if item.score is not None else "")
        for rank, item in enumerate(record.retrieved[:SHOWN_PASSAGES], start=1)
    ]
    return "\n".join([head, "", *rows])


def _read(record: RunRecord) -> str:
    best = sorted(record.digests, key=lambda digest: -digest.probability)[:SHOWN_PASSAGES]
    if not best:
        return ""
    rows = [
        f"- {digest.probability:.0%} {markdown_text(digest.span) or '(no span)'} "
        f"in: {markdown_text(_cut(digest.sentence))}"
        for digest in best
    ]
    return "\n".join(["**Read**: likeliest spans, and the sentences that hold them.", "", *rows])


def _judged(evidence: Sequence[Mapping[str, Any]]) -> str:
    if not evidence:
        return "**Judged**: no sentence was left as evidence."
    rows = []
    for item in evidence:
        conflicts = "; ".join(
            f"{conflict['kind']}: {conflict['stated']} against {conflict['found']}" for conflict in item["conflicts"]
        )
        why = f" ({markdown_text(conflicts)})" if conflicts else ""
        rows.append(f"- {item['relation']} {item['score']:.0%}{why}: {markdown_text(_cut(item['text']))}")
    return "\n".join(["**Judged**: what each sentence does to the query, and how sure that is.", "", *rows])


def _call(call: ModelCall) -> str:
    tokens = f", {call.tokens_in or '?'} tokens in, {call.tokens_out or '?'} out" if call.reply else ""
    prompt = f"prompt {call.prompt_name} {call.prompt_version} ({(call.prompt_hash or '')[:8]})"
    head = f"**Asked** {markdown_text(call.generator)} for {call.purpose}, {prompt}{tokens}, {call.duration_ms:.0f} ms."
    if call.reply is None:
        why = call.failure.message if call.failure else "no reply"
        return f"{head}\n\n> Failed: {markdown_text(why)}"
    return f"{head}\n\n> {markdown_text(_cut(call.reply, 600))}"


def _sentences(checks: Sequence[Mapping[str, Any]]) -> str:
    if not checks:
        return ""
    rows = [
        f"- {check['fate'].replace('_', ' ')} ({check['probability']:.0%})"
        + (f", not in its sources: {markdown_text(check['detail'])}" if check["detail"] else "")
        + f": {markdown_text(_cut(check['sentence']['text']))}"
        for check in checks
    ]
    return "\n".join(["**Checked** each sentence of the reply against what it cites.", "", *rows])


def _self_verification(outcome: Mapping[str, Any] | None) -> str:
    if outcome is None:
        return ""
    says = {True: "yes", False: "no", None: "neither yes nor no"}[outcome["says_yes"]]
    sure = f", probability of yes {outcome['probability']:.0%}" if outcome["probability"] is not None else ""
    return f"**Asked the model whether its answer is right**: {says}{sure}."


def _identity(result: Result, record: RunRecord) -> str:
    rows = [
        f"- run `{record.run_id}`, Looksy {record.version}, system {record.system}",
        f"- index `{record.snapshot_id}`, pipeline `{record.pipeline_hash}`",
        *[f"- {role}: `{name}`" for role, name in record.models.items()],
        f"- confidence: {markdown_text(result.confidence.method)}" if result.confidence else "",
        "- milliseconds: " + ", ".join(f"{stage} {spent:.0f}" for stage, spent in record.timings.items()),
    ]
    return "\n".join(["**With**", "", *[row for row in rows if row]])


def _cut(text: str, length: int = 200) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
