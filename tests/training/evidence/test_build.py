import json
import os
from itertools import pairwise
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra [train])")
for library in ("onnx", "onnxscript", "matplotlib", "safetensors", "transformers"):
    pytest.importorskip(library, reason=f"{library} is not installed (extra [train])")

from safetensors.torch import load_file, save_file

from core.errors import ConfigError, ModelError
from models.evidence import EvidenceModel
from models.hashes import file_hash
from models.onnx_runtime import load_tokenizer
from models.registry import shipped_models, verify
from tests.training.conftest import MPNET_SHAPE, save_tokenizer
from training.evidence import trainer as training
from training.evidence.build import build_evidence, start_network
from training.evidence.checkpoints import State, load_state, save_state
from training.evidence.mixture import make_stream
from training.evidence.network import EvidenceNetwork, load_trained, save_trained
from training.evidence.trainer import Trainer
from training.files import CURVE, LAST, STABLE

pytestmark = pytest.mark.torch


@pytest.fixture
def base(tmp_path, recipe):
    """A base model of random weights, in the form in which BERT is published."""
    torch.manual_seed(1)
    file = tmp_path / "base.safetensors"
    weights = {
        f"bert.{name}": value.contiguous() for name, value in EvidenceNetwork(recipe.encoder).enc.state_dict().items()
    }
    save_file(weights, str(file))
    return file


@pytest.fixture
def started(recipe, base):
    return recipe.model_copy(update={"start": recipe.start.model_copy(update={"base_sha256": file_hash(base)})})


def trainer(recipe, base, data, tokenizer_file, folder, **options):
    stream = make_stream(recipe, data, load_tokenizer(tokenizer_file))
    return Trainer(start_network(recipe, base=base, weights=None), stream, recipe, folder, **options)


def test_build_makes_a_model_that_the_product_reads_with(started, base, data, tokenizer_file, tmp_path):
    folder = build_evidence(started, tmp_path / "out", data=data, base=base, tokenizer=tokenizer_file)
    readings = EvidenceModel(folder).read([("the bridge opened .", "The bridge opened on Monday.")] * 2)
    assert readings[0].supports + readings[0].refutes + readings[0].neither == pytest.approx(1)
    (model,) = shipped_models(folder.parent)
    assert {check.state for check in verify(model)} == {"right"}
    record = json.loads((folder / "build.json").read_text())
    assert record["steps"] == 12
    assert record["parity"]["fp32"] < 1e-3
    assert record["parity"]["int8_agrees"] > 0.8
    assert set(record["validation"]) == {"both right", "order"}
    card = (folder / "CARD.md").read_text()
    assert "tiny_squad" in card
    assert "CC0" in card
    assert "Good for nothing." in card
    assert file_hash(folder / "model.onnx") in card
    assert (tmp_path / "out" / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_a_judge_is_built_from_its_base_and_the_tokenizer_beside_it(recipe, data, tmp_path):
    base_folder = tmp_path / "base"
    base_folder.mkdir()
    words = save_tokenizer(base_folder / "tokenizer.json", family="mpnet")
    base = base_folder / "model.safetensors"
    torch.manual_seed(1)
    shape = MPNET_SHAPE.model_copy(update={"word_bits": 4})
    state = EvidenceNetwork(shape).enc.state_dict()
    save_file({f"mpnet.{name}": value.contiguous() for name, value in state.items()}, str(base))
    start = recipe.start.model_copy(update={"base_sha256": file_hash(base), "tokenizer_sha256": file_hash(words)})
    judge = recipe.model_copy(update={"encoder": shape, "start": start, "frozen_layers": 1})
    folder = build_evidence(judge, tmp_path / "out", data=data, base=base)
    model = EvidenceModel(folder)
    short, long = model.read([("the bridge opened .", "Monday."), ("the bridge opened .", "The bridge opened. " * 90)])
    assert short.supports + short.refutes + short.neither == pytest.approx(1)
    assert long.end > long.start
    record = json.loads((folder / "build.json").read_text())
    assert record["parity"]["fp32"] < 1e-3
    assert record["parity"]["int8_agrees"] > 0.8
    card = (folder / "CARD.md").read_text()
    assert "all-mpnet-base-v2" in card
    assert "`<s> query </s></s> passage </s>`" in card
    assert "token_type_ids" not in card
    words.write_text("{}")
    with pytest.raises(ConfigError, match=r"tokenizer\.json has SHA-256"):
        build_evidence(judge, tmp_path / "again", data=data, base=base)


@pytest.mark.parametrize("dropout", [0.0, 0.2])
def test_a_stopped_run_ends_with_the_same_weights(dropout, started, base, data, tokenizer_file, tmp_path):
    recipe = started.model_copy(update={"dropout": dropout})
    whole = trainer(recipe, base, data, tokenizer_file, tmp_path / "whole").train()
    trainer(recipe, base, data, tokenizer_file, tmp_path / "parts").train(until=5)
    trainer(recipe, base, data, tokenizer_file, tmp_path / "parts").train(until=10)
    again = trainer(recipe, base, data, tokenizer_file, tmp_path / "parts")
    parts = again.train()
    assert again.state.step == 12
    for name, value in whole.items():
        assert torch.equal(value, parts[name]), name
    curves = [[row["step"] for row in one.curve.rows() if "rate" in row] for one in (again,)]
    assert curves == [list(range(1, 13))]


def test_a_checkpoint_is_due_by_the_clock_too(started, base, data, tokenizer_file, tmp_path, monkeypatch):
    seldom = started.model_copy(update={"save_every": 1000, "validate_every": 1000})
    run = trainer(seldom, base, data, tokenizer_file, tmp_path / "out")
    saved = []
    monkeypatch.setattr(training, "time", SimpleNamespace(monotonic=lambda: 250 * run.state.step))  # seconds
    monkeypatch.setattr(training, "save_state", lambda state, file: saved.append((state.step, file.name)))
    run.train()
    assert [step for step, name in saved if name == LAST] == [3, 6, 9, 12, 12]


def test_the_log_says_what_it_computes_in(started, base, data, tokenizer_file, tmp_path):
    said = []
    trainer(started, base, data, tokenizer_file, tmp_path / "out", say=said.append).train(until=1)
    assert any("bfloat16" in line or "32 bits" in line for line in said)


def test_a_choice_that_recipes_get_later_changes_the_name_of_no_build(started):
    plain = training.recipe_hash(started)
    assert training.recipe_hash(started.model_copy(update={"frozen_layers": 0})) == plain
    assert training.recipe_hash(started.model_copy(update={"frozen_layers": 1})) != plain


def test_a_killed_run_goes_on_from_its_last_checkpoint(started, base, data, tokenizer_file, tmp_path):
    whole = trainer(started, base, data, tokenizer_file, tmp_path / "whole").train()
    killed = trainer(started, base, data, tokenizer_file, tmp_path / "killed")
    saved = killed.say

    def kill(line):
        saved(line)
        if killed.state.step == 6:
            raise KeyboardInterrupt

    killed.say = kill
    with pytest.raises(KeyboardInterrupt):
        killed.train()
    assert load_state(tmp_path / "killed" / LAST).step == 6
    parts = trainer(started, base, data, tokenizer_file, tmp_path / "killed").train()
    assert all(torch.equal(value, parts[name]) for name, value in whole.items())


def test_a_line_of_the_curve_that_was_cut_short_stops_no_run(started, base, data, tokenizer_file, tmp_path):
    trainer(started, base, data, tokenizer_file, tmp_path / "out").train(until=5)
    with (tmp_path / "out" / CURVE).open("a") as curve:
        curve.write('{"step": 6, "ra')
    again = trainer(started, base, data, tokenizer_file, tmp_path / "out")
    again.train()
    assert [row["step"] for row in again.curve.rows() if "rate" in row] == list(range(1, 13))


def test_a_run_is_not_gone_on_with_from_other_weights(started, base, data, tokenizer_file, tmp_path):
    def build(name, weights=None):
        made = build_evidence(started, tmp_path / name, data=data, base=base, tokenizer=tokenizer_file, weights=weights)
        return made / "weights.safetensors"

    first = build("first")
    build("second", first)
    with pytest.raises(ConfigError, match="begun with weights") as refused:
        build("second")
    assert "--weights" in refused.value.hint
    last = tmp_path / "second" / LAST
    values = torch.load(last, weights_only=True)
    assert values.pop("started") == file_hash(first)
    torch.save(values, last)  # as checkpoints were before they noted it
    build("second", first)


def test_scores_of_the_model_before_are_not_those_of_the_next(started, base, data, tokenizer_file, tmp_path):
    def build(share):
        start = started.start.model_copy(update={"trained_share": share})
        recipe = started.model_copy(update={"start": start})
        return build_evidence(recipe, tmp_path / "out", data=data, base=base, tokenizer=tokenizer_file)

    folder = build(1.0)
    sums = (folder / "SHA256SUMS").read_text()
    scores = json.dumps([{"what": "order", "value": 0.875, "n": 20}])
    (folder / "scores.json").write_text(scores)
    build(1.0)
    assert (folder / "scores.json").is_file() is (sums == (folder / "SHA256SUMS").read_text())
    (folder / "scores.json").write_text(scores)
    build(0.25)
    assert not (folder / "scores.json").exists()
    assert "0.875" not in (folder / "CARD.md").read_text()


def test_training_learns(started, base, data, tokenizer_file, tmp_path):
    longer = started.model_copy(
        update={"schedule": started.schedule.model_copy(update={"stable": 50, "cooling": 10}), "save_every": 20}
    )
    run = trainer(longer, base, data, tokenizer_file, tmp_path / "out")
    run.train()
    rows = [row for row in run.curve.rows() if "relation" in row]
    assert sum(row["span"] for row in rows[-10:]) < 0.5 * sum(row["span"] for row in rows[:10])
    assert load_state(tmp_path / "out" / STABLE).step == 50


def test_a_share_of_the_trained_weights_is_exported(started, base, data, tokenizer_file, tmp_path):
    def exported(share):
        start = started.start.model_copy(update={"trained_share": share})
        recipe = started.model_copy(update={"start": start})
        folder = build_evidence(recipe, tmp_path / "out", data=data, base=base, tokenizer=tokenizer_file)
        network = start_network(started, base=base, weights=None)
        begun_with = network.rel[0].weight.clone()
        load_trained(network, folder / "weights.safetensors")
        return begun_with, network.rel[0].weight

    begun_with, trained = exported(1.0)
    assert (trained - begun_with).abs().max() > 1e-3
    _, mixed = exported(0.25)  # the same training, gone on from its end
    assert torch.allclose(mixed, 0.75 * begun_with + 0.25 * trained, atol=1e-3)


def test_the_mean_can_be_taken_with_other_weights(started, base, data, tokenizer_file, tmp_path):
    def exported(name, *, mean_with=None, **update):
        start = started.start.model_copy(update=update)
        recipe = started.model_copy(update={"start": start})
        made = build_evidence(
            recipe, tmp_path / name, data=data, base=base, tokenizer=tokenizer_file, mean_with=mean_with
        )
        return made / "weights.safetensors"

    one = load_file(exported("trained"))["rel.0.weight"].float()
    other = exported("other", trained_share=0.0)
    update = {"trained_share": 0.5, "mean_sha256": file_hash(other)}
    mean = exported("trained", mean_with=other, **update)  # the same training, gone on from its end
    two, both = (load_file(file)["rel.0.weight"].float() for file in (other, mean))
    assert torch.allclose(both, (one + two) / 2, atol=1e-3)
    with pytest.raises(ConfigError, match="exports a mean with other weights"):
        exported("trained", **update)
    with pytest.raises(ConfigError, match="exports no mean"):
        exported("trained", mean_with=other)


def test_frozen_words_do_not_move_and_are_not_written(started, base, data, tokenizer_file, tmp_path):
    run = trainer(started, base, data, tokenizer_file, tmp_path / "out")
    before = run.network.enc.embeddings.word_embeddings.weight.clone()
    run.train()
    assert torch.equal(before, run.network.enc.embeddings.word_embeddings.weight)
    save_trained(run.network.state_dict(), tmp_path / "weights.safetensors")
    other = start_network(started, base=base, weights=None)
    load_trained(other, tmp_path / "weights.safetensors")
    mine, theirs = run.network.state_dict(), other.state_dict()
    assert all(torch.allclose(mine[name].float(), theirs[name].float(), atol=2e-3) for name in mine)


def test_minutes_bring_the_rate_down_early(started, base, data, tokenizer_file, tmp_path):
    long = started.model_copy(update={"schedule": started.schedule.model_copy(update={"stable": 10_000})})
    run = trainer(long, base, data, tokenizer_file, tmp_path / "out", minutes=0.02)
    run.train()
    assert run.state.cool_at is not None
    assert run.state.step == run.state.cool_at + run.state.cooling < 10_000


@pytest.mark.parametrize(("cooling", "ends"), [(12, 10), (5, 9)])
def test_a_rate_that_falls_already_does_not_rise_again(
    started, base, data, tokenizer_file, tmp_path, monkeypatch, cooling, ends
):
    schedule = started.schedule.model_copy(update={"stable": 4, "cooling": cooling})
    falling = started.model_copy(update={"schedule": schedule})
    run = trainer(falling, base, data, tokenizer_file, tmp_path / "out", minutes=10)
    monkeypatch.setattr(training, "time", SimpleNamespace(monotonic=lambda: 60 * run.state.step))  # a step a minute
    run.train()
    rates = [row["rate"] for row in run.curve.rows() if "rate" in row]
    assert len(rates) == run.state.step == ends
    assert rates[1:5] == [schedule.peak] * 4
    assert all(earlier > later for earlier, later in pairwise(rates[4:]))
    assert rates[-1] < 0.2 * schedule.peak


def test_the_state_before_the_fall_can_be_gone_on_from(started, base, data, tokenizer_file, tmp_path):
    long = started.model_copy(update={"schedule": started.schedule.model_copy(update={"stable": 10_000})})
    first = trainer(long, base, data, tokenizer_file, tmp_path / "out", minutes=0.02)
    first.train()
    (tmp_path / "out" / STABLE).replace(tmp_path / "out" / LAST)
    again = trainer(long, base, data, tokenizer_file, tmp_path / "out")
    again.train(until=first.state.cool_at + 4)
    assert again.state.cool_at is None
    rates = {row["rate"] for row in again.curve.rows() if row.get("step", 0) > first.state.cool_at and "rate" in row}
    assert rates == {long.schedule.peak}


def test_another_recipe_does_not_go_on_from_its_checkpoint(started, base, data, tokenizer_file, tmp_path):
    trainer(started, base, data, tokenizer_file, tmp_path / "out").train(until=2)
    other = started.model_copy(update={"seed": 9})
    with pytest.raises(ConfigError, match="another recipe"):
        trainer(other, base, data, tokenizer_file, tmp_path / "out").train()


def test_a_broken_checkpoint_is_named(tmp_path):
    (tmp_path / LAST).write_bytes(b"no")
    with pytest.raises(ModelError, match="not a checkpoint"):
        load_state(tmp_path / LAST)


def test_a_checkpoint_is_on_the_disk_before_it_takes_the_place_of_the_last(tmp_path, monkeypatch):
    state = State(weights={"w": torch.ones(2)}, averaged={}, optimizer={}, random=torch.get_rng_state(), step=1)
    save_state(state, tmp_path / LAST)
    stood, sync = [], os.fsync

    def noted(handle):
        stood.append(load_state(tmp_path / LAST).step)
        sync(handle)

    monkeypatch.setattr(os, "fsync", noted)
    state.step = 2
    save_state(state, tmp_path / LAST)
    assert stood == [1, 2]  # the content is flushed while the old one stands, then the folder
    assert [path.name for path in tmp_path.iterdir()] == [LAST]


def test_another_base_is_refused(recipe, base):
    with pytest.raises(ConfigError, match="SHA-256"):
        start_network(recipe, base=base, weights=None)
