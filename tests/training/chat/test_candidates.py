from types import SimpleNamespace

import pytest

pytest.importorskip("torch", reason="torch is not installed (extra [tune])")
for library in ("transformers", "peft"):
    pytest.importorskip(library, reason=f"{library} is not installed (extra [tune])")

from tests.full_disk import full_disk
from training.chat.candidates import gather
from training.chat.lesson import Judged, Lesson
from training.chat.pairs import Candidates

pytestmark = pytest.mark.torch


def test_candidates_that_are_there_survive_a_full_disk(tmp_path, monkeypatch):
    lessons = [Lesson(name=name, group=name, messages=()) for name in "ab"]
    found = [Candidates(lesson=name, replies=("r",), judged=(Judged(value=0.5, scores={}),)) for name in "ab"]
    file = tmp_path / "candidates.jsonl"
    file.write_text("".join(one.model_dump_json() + "\n" for one in found))
    setting = SimpleNamespace(recipe=SimpleNamespace(preference=SimpleNamespace(claims_together=1)))

    with full_disk(monkeypatch), pytest.raises(OSError, match="No space"):
        gather(setting, None, lessons, judge=None, file=file)
    assert gather(setting, None, lessons, judge=None, file=file) == found
