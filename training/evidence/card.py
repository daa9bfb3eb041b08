"""The card of a built model: what it is, what it has seen, what it scores, what it is not good for."""

import json
from collections.abc import Iterator
from pathlib import Path

from models.registry import SUMS
from training.data.packs import pack
from training.recipe import Recipe
from training.record import BUILD, SCORES, BuildRecord, Score

_HEAD = """
One encoder that reads a query together with a passage and says three things at once: where the answer stands, what the
passage does to a statement, and whether it bears on the query at all.

**Base**: sentence-transformers/{name} (Apache-2.0), `model.safetensors` {base}, word embeddings frozen{words}.

{inputs}, at most 256 tokens (query cut at 128; longer passages in windows that overlap by 96).

**Outputs** `span_logits` (batch, tokens, 2): start and end; position 0 stands for "no answer here".
`relation_logits` (batch, 3): supports, refutes, neither. `relevance_logit` (batch).
""".strip()
_FAMILIES = {
    "bert": (
        "all-MiniLM-L6-v2",
        "**Inputs** `input_ids`, `attention_mask`, `token_type_ids`: int64, (batch, tokens): `[CLS] query [SEP] "
        "passage [SEP]`,\ntype 1 from the passage on",
    ),
    "mpnet": (
        "all-mpnet-base-v2",
        "**Inputs** `input_ids`, `attention_mask`: int64, (batch, tokens): `<s> query </s></s> passage </s>`, padding "
        "on\nthe right",
    ),
}
"""The base model of each family of encoders, and what it reads."""


def write_card(folder: Path) -> Path:
    """
    Write `CARD.md` from `build.json`, `SHA256SUMS` and, where the model was measured, `scores.json`.

    :returns: The card's file.
    """
    record = BuildRecord.model_validate_json((folder / BUILD).read_text(encoding="utf-8"))
    parts = [_head(record), _files(folder), _data(record.recipe), _recipe(record), _scores(folder), _limits(record)]
    card = folder / "CARD.md"
    card.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return card


def _head(record: BuildRecord) -> str:
    encoder, start = record.recipe.encoder, record.recipe.start
    name, inputs = _FAMILIES[encoder.family]
    words = "" if encoder.word_bits == 8 else f" and in {encoder.word_bits} bits"  # noqa: PLR2004 - bits
    head = _HEAD.format(name=name, base=start.base_sha256[:8], words=words, inputs=inputs)
    return f"# {record.recipe.title}\n\n{head}"


def _files(folder: Path) -> str:
    lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    rows = [f"| `{name}` | `{digest}` |" for digest, _, name in (line.partition("  ") for line in lines)]
    return "\n".join(["| file | SHA-256 |", "|---|---|", *rows])


def _data(recipe: Recipe) -> str:
    rows = []
    for source in recipe.sources:
        for name in source.packs:
            one = pack(name)
            rows.append(f"| {one.origin} | {source.kind} | {one.licence} | {one.sha256[:8]} |")
    table = ["| trained on | as | licence | SHA-256 |", "|---|---|---|---|", *dict.fromkeys(rows)]
    return "\n".join(table)


def _recipe(record: BuildRecord) -> str:
    recipe, parity = record.recipe, record.parity
    start = f"weights {record.started_from[:8]}" if record.started_from else "the base model"
    numbers = "bfloat16" if record.bfloat16 else "32-bit floats"
    return (
        f"**Recipe** `training/recipes/{recipe.name}.yaml`: from {start}, {record.steps} steps of at most "
        f"{recipe.tokens_per_batch} tokens,\nAdamW, peak rate {recipe.schedule.peak:g}, cosine to nearly zero, "
        f"{_dropout(recipe)}"
        f"{numbers} on {record.device}, seed {recipe.seed}, averaged weights (decay {recipe.average:g})"
        f"{_blend(recipe)};\n"
        f"torch {record.torch}. The 32-bit graph differs from the network by at most {parity.fp32:.1e}; "
        "int8 gives the same relation on\n"
        f"{parity.int8_agrees:.1%} of {parity.rows} rows."
    )


def _dropout(recipe: Recipe) -> str:
    return f"dropout {recipe.dropout:g}, " if recipe.dropout else ""


def _blend(recipe: Recipe) -> str:
    share = recipe.start.trained_share
    others = "those that training began with" if recipe.start.mean_sha256 is None else "an earlier build's"
    return "" if share == 1 else f", of which {share:g} in the mean with {others}"


def _scores(folder: Path) -> str:
    file = folder / SCORES
    if not file.is_file():
        return "**Scores**: not measured yet (`looksy models measure`)."
    scores = [Score.model_validate(row) for row in json.loads(file.read_text(encoding="utf-8"))]
    head = [
        "**Scores** of the int8 model, with 95 % intervals:",
        "",
        "| what | score | interval | n |",
        "|---|---|---|---|",
    ]
    return "\n".join([*head, *_score_rows(scores)])


def _score_rows(scores: list[Score]) -> Iterator[str]:
    for score in scores:
        value = "-" if score.value is None else f"{score.value:.3f}"
        between = "-" if score.low is None or score.high is None else f"{score.low:.3f} to {score.high:.3f}"
        yield f"| {score.what} | {value} | {between} | {score.n} |"


def _limits(record: BuildRecord) -> str:
    return "\n".join(["**Limits**", "", *(f"- {limit}" for limit in record.recipe.limits)])
