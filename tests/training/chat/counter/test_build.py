"""Both stages of training end to end, on a chat model of 170,000 weights made here; the shipped models judge."""

import json
import socket

import pytest
import yaml

torch = pytest.importorskip("torch", reason="torch is not installed (extra [tune])")
for library in ("trl", "peft", "datasets", "transformers"):
    pytest.importorskip(library, reason=f"{library} is not installed (extra [tune])")

from safetensors.torch import load_file
from typer.testing import CliRunner

from core.errors import CancelledError, ConfigError, InputError, NotFoundError
from evaluation.data.formats.refuted_claims import read_refuted_claims
from models.hashes import file_hash
from pipelines.generation.local import LocalGenerator
from service.cli.main import app
from tests.training.chat.counter.claims import PRICES, write_claims
from tests.training.chat.counter.tiny import log_probability, make_base
from training.chat import stopping
from training.chat.base import load_base, load_tokenizer, with_adapter
from training.chat.counter.build import build_counter_adapter
from training.chat.counter.lessons import make_lessons
from training.chat.merge import main as merge
from training.chat.pairs import Candidates, Pair, make_pairs
from training.chat.record import TuningRecord
from training.recipe import find_recipe

pytestmark = [pytest.mark.torch, pytest.mark.slow, pytest.mark.timeout(600)]


class Build:
    """One finished build, and what it was made from."""

    def __init__(self, place, resources):
        self.place = place
        self.data = write_claims(place / "claims.jsonl")
        made, self.judge = make_lessons(read_refuted_claims(self.data), resources, compose=False)
        self.lessons = made.lessons
        self.base = make_base(place / "base", list(self.lessons), steps=100)
        self.out = place / "out"
        self.model = self.out / "model"
        shipped = find_recipe("counter-lora")
        common = {"warmup": 1, "batch": 4, "accumulate": 1, "rate": 3e-3}
        more = {"candidates": 8, "temperature": 1.0, "claims_together": 3, "batch": 2, "rate": 8e-3}
        self.recipe = shipped.model_copy(
            update={
                "base": str(self.base),
                "lora": shipped.lora.model_copy(update={"rank": 8, "alpha": 16}),
                "supervised": shipped.supervised.model_copy(update=common | {"steps": 16}),
                "preference": shipped.preference.model_copy(update=common | more | {"steps": 8}),
                "max_tokens": 420,
                "reply_tokens": 70,
                "held_out": 0.2,
                "save_every": 3,
                "compose": False,
            }
        )

    def run(self, settings, *, out=None, **update):
        """Build into another folder, in this process."""
        recipe = self.recipe.model_copy(update=update.pop("recipe", {}))
        return build_counter_adapter(recipe, out or self.out, data=self.data, settings=settings, **update)

    def adapted(self, stage):
        """Load the base model with the adapter of a stage."""
        return with_adapter(load_base(self.base), self.out / stage / "adapter").eval()

    def pairs(self):
        return [Pair.model_validate_json(line) for line in (self.out / "pairs.jsonl").read_text().splitlines()]

    def learned(self):
        names = {json.loads(line)["lesson"] for line in (self.out / "candidates.jsonl").read_text().splitlines()}
        return [lesson for lesson in self.lessons if lesson.name in names]


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def build(tmp_path_factory, resources):
    """Built by the command."""
    one = Build(tmp_path_factory.mktemp("tuning"), resources)
    recipe = one.place / "tiny.yaml"
    recipe.write_text(yaml.safe_dump(one.recipe.model_dump(mode="json")), encoding="utf-8")
    asked = []
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("CI", raising=False)  # where it is set, TRL reports nothing anyway
        patch.setattr(socket, "getaddrinfo", lambda host, *more, **named: asked.append(host) or [])
        command = ["models", "build", str(recipe), "--data", str(one.data), "--out", str(one.out)]
        result = CliRunner().invoke(app, command, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert result.stdout.strip() == str(one.model)
    assert "preference 8 of 8" in result.stderr
    assert asked == []  # TRL reports its use to the hub unless it is kept from it
    return one


def test_the_first_stage_makes_good_replies_likelier(build):
    tokenizer = load_tokenizer(build.base)
    bare, taught = load_base(build.base).eval(), build.adapted("supervised")
    for lesson in build.learned():
        before, after = (log_probability(model, tokenizer, lesson, lesson.reply) for model in (bare, taught))
        assert after > before + 0.3
    weights = load_file(build.model / "adapter_model.safetensors")
    assert len(weights) == 2 * 2 * 7  # A and B of seven matrices of two layers
    assert all(value.abs().max() > 0 for value in weights.values())


def test_pairs_are_ordered_by_our_scores(build):
    found = [Candidates.model_validate_json(line) for line in (build.out / "candidates.jsonl").read_text().splitlines()]
    assert all(len(one.replies) == 8 for one in found)
    pairs = build.pairs()
    assert len(pairs) >= 2
    assert pairs == make_pairs(found, margin=0.1)
    lessons = {lesson.name: lesson for lesson in build.lessons}
    for pair in pairs:
        chosen, rejected = build.judge(lessons[pair.lesson], [pair.chosen, pair.rejected])
        assert not chosen.fault
        assert chosen.value == pytest.approx(pair.chosen_value, abs=0.02)
        assert chosen.value - rejected.value > 0.09


def test_the_second_stage_widens_the_margin_of_every_pair(build):
    tokenizer = load_tokenizer(build.base)
    lessons = {lesson.name: lesson for lesson in build.lessons}

    def likely(model, pair, text):
        return log_probability(model, tokenizer, lessons[pair.lesson], text)

    first, second = build.adapted("supervised"), build.adapted("preference")
    for pair in build.pairs():
        chosen = likely(second, pair, pair.chosen) - likely(first, pair, pair.chosen)
        rejected = likely(second, pair, pair.rejected) - likely(first, pair, pair.rejected)
        assert chosen - rejected > 1
        assert chosen > -1  # DPO alone makes both unlikely


def test_the_card_says_what_was_done_and_what_replies_score(build):
    record = TuningRecord.model_validate_json((build.model / "tuning.json").read_text())
    assert record.origin.data == file_hash(build.data)
    assert record.origin.recipe == build.recipe
    assert record.lessons == len(build.learned()) == len(PRICES) - 1
    assert record.supervised.last["loss"] < record.supervised.first["loss"]
    assert record.preference is not None
    assert record.preference.rows == len(build.pairs())
    assert record.preference.first["rewards/margins"] == pytest.approx(0, abs=0.01)
    assert record.preference.last["rewards/margins"] > 0.5
    assert [(one.model, one.n) for one in record.figures] == [("base", 1), ("supervised", 1), ("preference", 1)]
    assert record.figures[-1].value > record.figures[0].value + 0.3
    card = (build.model / "CARD.md").read_text()
    assert file_hash(build.data) in card
    assert "on claims held out of training" in card
    assert f"| preference | 1 | 1 | {record.figures[-1].sound:.3f} |" in card
    sums = (build.model / "SHA256SUMS").read_text()
    assert f"{file_hash(build.model / 'adapter_model.safetensors')}  adapter_model.safetensors" in sums


def test_a_stopped_and_killed_build_ends_with_the_same_adapter(build, settings, tmp_path, monkeypatch):
    class KilledError(Exception):
        pass

    def killer(mark):
        def say(line):
            if line.startswith(mark):
                raise KilledError(line)

        return say

    now = [0.0]
    with monkeypatch.context() as patch:
        patch.setattr(stopping, "monotonic", lambda: now[0])
        with pytest.raises(CancelledError, match="supervised stands at step 5 of 16") as caught:
            build.run(settings, out=tmp_path, minutes=1, say=lambda line: now.append(now.pop() + 16))
    assert "goes on" in caught.value.hint
    assert (tmp_path / "supervised" / "checkpoint-5" / "trainer_state.json").is_file()
    for mark in ("candidates: 3 of", "preference 4 of"):
        with pytest.raises(KilledError):
            build.run(settings, out=tmp_path, say=killer(mark))
    (tmp_path / "preference" / "checkpoint-9").mkdir()  # was about to be written
    heard = []
    folder = build.run(settings, out=tmp_path, say=heard.append)
    assert not [line for line in heard if line.startswith(("supervised 1", "candidates", "preference 3 "))]
    assert (tmp_path / "candidates.jsonl").read_text() == (build.out / "candidates.jsonl").read_text()
    whole, parts = (load_file(place / "adapter_model.safetensors") for place in (build.model, folder))
    for name, value in whole.items():
        assert torch.allclose(value, parts[name], atol=1e-6), name


def test_a_build_goes_on_with_the_same_things_only(build, settings):
    assert build.run(settings, recipe={"title": "Another title"}) == build.model
    with pytest.raises(ConfigError, match="begun with another recipe") as caught:
        build.run(settings, recipe={"seed": 1})
    assert "--fresh" in caught.value.hint
    build.data.write_text(build.data.read_text() + "\n")
    try:
        with pytest.raises(ConfigError, match="begun with another data"):
            build.run(settings)
    finally:
        write_claims(build.data)


def test_what_cannot_be_learned_from_is_refused(build, settings, tmp_path):
    with pytest.raises(NotFoundError, match="nobody/nothing") as caught:
        build.run(settings, out=tmp_path, base="nobody/nothing")
    assert "looksy models pull nobody/nothing" in caught.value.hint
    write_claims(tmp_path / "bare.jsonl", reply="")
    with pytest.raises(InputError, match=r"none of 6 claims is left with a reply to learn from \(0 are too long\)"):
        build_counter_adapter(build.recipe, tmp_path / "a", data=tmp_path / "bare.jsonl", settings=settings)
    with pytest.raises(InputError, match=r"\(6 are too long\)"):
        build.run(settings, out=tmp_path / "b", recipe={"max_tokens": 100})


def test_without_pairs_the_adapter_is_that_of_the_first_stage(build, settings, tmp_path):
    steps = build.recipe.supervised.model_copy(update={"steps": 2})
    wanted = build.recipe.preference.model_copy(update={"margin": 1.0, "candidates": 2})
    folder = build.run(settings, out=tmp_path, recipe={"supervised": steps, "preference": wanted, "held_out": 0.0})
    record = TuningRecord.model_validate_json((folder / "tuning.json").read_text())
    assert record.preference is None
    assert [(one.model, one.n) for one in record.figures] == [("base", 6), ("supervised", 6)]
    card = (folder / "CARD.md").read_text()
    assert "**Preference**: not done" in card
    assert "since none was held out" in card


def test_the_adapter_writes_as_a_chat_model_of_looksy(build, tmp_path):
    generator = LocalGenerator(model=str(build.model), data_dir=tmp_path, device="cpu")
    reply = generator.complete(build.lessons[0].messages, max_tokens=70, seed=0)
    assert build.judge(build.lessons[0], [reply.text])[0].scores
    generator.close()


def test_a_merged_model_says_the_same(build, tmp_path):
    assert merge([str(build.base), str(build.model), str(tmp_path / "merged")]) == 0
    tokenizer = load_tokenizer(tmp_path / "merged")
    lesson = build.lessons[0]
    merged, apart = (
        log_probability(model, tokenizer, lesson, lesson.reply)
        for model in (load_base(tmp_path / "merged").eval(), build.adapted("preference"))
    )
    assert merged == pytest.approx(apart, abs=1e-3)
    with pytest.raises(SystemExit):
        merge([str(build.base), str(build.model), str(tmp_path / "merged")])
