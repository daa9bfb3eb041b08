"""From claims and an index to lessons, whose prompts are those that the chat server gets."""

import json

import pytest

from core.settings import load_settings
from core.types import Request
from evaluation.data.formats.refuted_claims import read_refuted_claims
from pipelines.engine import Engine
from tests.chat_server import ChatServer
from tests.pipelines.systems.articles import BRIDGE, open_engine
from training.chat.counter.collect import main
from training.chat.counter.lessons import make_lessons

FALSE = "The repairs of the Osterholm bridge cost 95 million crowns."
TRUE = "The repairs of the Osterholm bridge cost 48 million crowns."


def test_collected_claims_are_asked_as_at_run_time(tmp_path, resources, capsys):
    index = tmp_path / "index"
    index.mkdir()
    engine = open_engine(index, BRIDGE)
    data_dir = engine.settings.data_dir
    engine.close()
    rows = [{"claim": text, "label": "refuted"} for text in (TRUE, FALSE, "Osterholm will host the chess Olympiad.")]
    claims, out = tmp_path / "labelled.jsonl", tmp_path / "tune.jsonl"
    claims.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert main(["--claims", str(claims), "--out", str(out), "--data-dir", str(data_dir)]) == 0
    assert "1 of 3 claims" in capsys.readouterr().err
    (given,) = read_refuted_claims(out)
    assert (given.id, given.claim) == ("line-2", FALSE)
    made, _ = make_lessons([given], resources, compose=True)
    with ChatServer('{"reply": "x"}') as server:
        chat = {"generator": "openai", "generator_url": server.url, "generator_model": "scripted"}
        asking = Engine(load_settings({"data_dir": data_dir, "threads": 1} | chat, environment={}))
        asking.run("counter", Request(text=FALSE, options={"candidates": 1}))
        asking.close()
    assert server.requests[0]["messages"] == list(made.lessons[0].messages)


def test_a_missing_index_is_said(tmp_path, capsys):
    claims = tmp_path / "claims.jsonl"
    claims.write_text(json.dumps({"claim": FALSE, "label": "refuted"}) + "\n", encoding="utf-8")
    with pytest.raises(SystemExit) as caught:
        main(["--claims", str(claims), "--out", str(tmp_path / "out"), "--data-dir", str(tmp_path / "none")])
    assert caught.value.code == 2
    assert "looksy index" in capsys.readouterr().err
