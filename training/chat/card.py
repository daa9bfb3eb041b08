"""The card of an adapter: what it is for, what it has seen, what its replies score, what it is not good for."""

from collections.abc import Iterator

from training.chat.record import TuningRecord

_SERVE = """
**Serve** it beside its base model with vLLM, FOLDER being this one, and name it to Looksy as the chat model:

```
vllm serve {base} --port 8001 --enable-lora --max-lora-rank {rank} --lora-modules {name}=FOLDER
LOOKSY_GENERATOR=openai LOOKSY_GENERATOR_URL=http://127.0.0.1:8001/v1 LOOKSY_GENERATOR_MODEL={name} looksy serve
```
""".strip()


def card_text(record: TuningRecord) -> str:
    """Return the card in Markdown."""
    recipe = record.origin.recipe
    serve = _SERVE.format(base=recipe.base, rank=recipe.lora.rank, name=recipe.name)
    parts = [f"# {recipe.title}", *_origin(record), *_stages(record), "\n".join(_figures(record)), serve]
    if record.notes:
        parts.append("\n".join(["**Notes**", "", *(f"- {note}" for note in record.notes)]))
    parts.append("\n".join(["**Limits**", "", *(f"- {limit}" for limit in recipe.limits)]))
    return "\n\n".join(parts) + "\n"


def _origin(record: TuningRecord) -> Iterator[str]:
    origin = record.origin
    lora = origin.recipe.lora
    yield (
        f"**Base**: {origin.recipe.base}, weights {origin.base[:12]}. **Adapter**: LoRA, rank {lora.rank}, alpha "
        f"{lora.alpha}, dropout {lora.dropout:g}, on {', '.join(lora.targets)}."
    )
    judges = ", ".join(f"{role}: {name}" for role, name in origin.judges.items())
    yield (
        f"**Data**: {record.lessons} claims to learn from, file {origin.data}. **Prompt**: {origin.prompt}. "
        f"**Judges**: {judges}."
    )


def _stages(record: TuningRecord) -> Iterator[str]:
    recipe, first = record.origin.recipe, record.supervised
    yield (
        f"**Supervised**: {first.rows} replies, {first.steps} steps of {recipe.supervised.batch} x "
        f"{recipe.supervised.accumulate}, rate {recipe.supervised.rate:g}, seed {recipe.seed}; loss "
        f"{_figure(first.first, 'loss')} to {_figure(first.last, 'loss')}."
    )
    wanted, second = recipe.preference, record.preference
    if second is None:
        yield f"**Preference**: not done; no two of {wanted.candidates} candidates were {wanted.margin:g} apart."
        return
    versions = ", ".join(f"{name} {version}" for name, version in record.versions.items())
    yield (
        f"**Preference** (DPO, beta {wanted.beta:g}, anchor {wanted.anchor:g}): {second.rows} pairs, best against "
        f"worst of {wanted.candidates}\ncandidates (temperature {wanted.temperature:g}) at least {wanted.margin:g} "
        f"apart; {second.steps} steps of {wanted.batch} x {wanted.accumulate}, rate {wanted.rate:g}; loss "
        f"{_figure(second.first, 'loss')} to {_figure(second.last, 'loss')}.\nOn {record.device}; {versions}."
    )


def _figure(figures: dict[str, float], name: str) -> str:
    return f"{figures[name]:.3f}" if name in figures else "unknown"


def _figures(record: TuningRecord) -> Iterator[str]:
    yield f"**Scores** of the likeliest replies, {record.measured_on}; without intervals:"
    yield ""
    names = list(dict.fromkeys(name for one in record.figures for name in one.scores))
    yield "| model | n | readable | would be returned | worth | " + " | ".join(names) + " |"
    yield "|---" * (5 + len(names)) + "|"
    for one in record.figures:
        scores = " | ".join(f"{one.scores[name]:.3f}" if name in one.scores else "-" for name in names)
        yield f"| {one.model} | {one.n} | {one.readable} | {one.sound:.3f} | {one.value:.3f} | {scores} |"
