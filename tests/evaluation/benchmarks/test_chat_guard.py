"""Replies of a scripted chat model: kept with their evidence, labelled, and put before the guard again."""

import json

import pytest

from core.errors import ConfigError, InputError
from core.settings import load_settings
from core.types import QueryKind
from evaluation.benchmarks.chat_guard.collect import collect, development_queries, judged_evidence
from evaluation.benchmarks.chat_guard.measure import outcomes, table
from evaluation.benchmarks.chat_guard.rows import Label, evidence_of, read_rows
from evaluation.data.formats.questions import QueryRow
from evaluation.runs.ask_system import open_engine
from tests.chat_server import ChatServer
from tests.evaluation.data.test_formats import write
from tests.evaluation.tasks.test_rag import SENTENCE, data, with_model

__all__ = ["data"]  # a fixture

QUESTION = QueryRow(id="q1", kind=QueryKind.QUESTION, text="How many people died in the flood in Brazil?")
STATEMENT = QueryRow(id="s1", kind=QueryKind.STATEMENT, text="81 people died in the flood in Brazil.")
RIGHT = f"{SENTENCE[:-1]} Doc[1]."
WRONG = "Officials said 99 people died in the flood in Brazil Doc[1]."


def collected(folder, data, *replies, queries=(QUESTION, STATEMENT), modes=("references",), limit=10):
    """Collect replies; return how many were added, the requests to the model, and all rows."""
    out = folder / "replies.jsonl"
    with (
        ChatServer(*replies) as server,
        open_engine(data, with_model(folder / "var", server), corpus=None) as opened,
    ):
        added = collect(opened, queries, out, modes=modes, limit=limit)
        return added, len(server.requests), read_rows(out)


def test_replies_are_kept_with_their_evidence_and_not_asked_for_again(tmp_path, data):
    added, asked, rows = collected(tmp_path, data, RIGHT)
    assert (added, asked) == (2, 2)
    assert [(row.query_id, row.reply, row.label) for row in rows] == [("q1", RIGHT, None), ("s1", RIGHT, None)]
    assert rows[0].shown[0].article == rows[0].evidence[0].article == "flood"
    with (tmp_path / "replies.jsonl").open("a") as file:
        file.write('{"id": "half a li')  # a kill
    added, asked, again = collected(tmp_path, data, RIGHT, modes=("references", "contexts"), limit=3)
    assert (added, asked) == (1, 1)
    assert again[:2] == rows
    assert again[2].mode == "contexts"


def test_evidence_is_judged_once_a_query_and_comes_back_as_it_was(tmp_path, data, monkeypatch):
    judged = []

    def remembered(opened, query):
        judged.append(judged_evidence(opened, query))
        return judged[-1]

    monkeypatch.setattr("evaluation.benchmarks.chat_guard.collect.judged_evidence", remembered)
    _, _, rows = collected(tmp_path, data, RIGHT, queries=(QUESTION,), modes=("references", "contexts", "keywords"))
    assert (len(judged), len(rows)) == (1, 3)
    articles = {"flood": judged[0][0].article}
    back = [item.model_copy(update={"context": "", "context_start": 0}) for item in judged[0]]
    assert evidence_of(rows[0], articles) == back


def test_a_right_reply_is_shown_and_an_invented_one_dropped(tmp_path, data):
    _, _, rows = collected(tmp_path, data, RIGHT)
    labelled = [
        changed
        for row in rows
        for changed in (
            row.model_copy(update={"label": Label.RIGHT}),
            row.model_copy(update={"label": Label.WRONG, "reply": WRONG}),
        )
    ]
    settings = load_settings({"data_dir": tmp_path / "var"}, environment={})
    with open_engine(data, settings, corpus=None) as opened:
        found = outcomes(opened, labelled)
    assert found[0] in {"shown", "verified"}
    assert found[1:] == ["dropped", "verified", "dropped"]
    assert table(labelled, found) == "right replies 2, dropped 0; wrong replies 2, shown 0, as verified 0"


def test_without_a_chat_model_nothing_is_collected(tmp_path, data):
    settings = load_settings({"data_dir": tmp_path / "var"}, environment={})
    with open_engine(data, settings, corpus=None) as opened, pytest.raises(ConfigError, match="no chat model"):
        collect(opened, (QUESTION,), tmp_path / "replies.jsonl", modes=("references",), limit=1)


@pytest.mark.parametrize("line", ["{", json.dumps({"id": "a"})])
def test_a_line_that_is_no_reply_is_named(tmp_path, line):
    with pytest.raises(InputError, match="line 1"):
        read_rows(write(tmp_path, "replies.jsonl", line))


def test_the_development_part_has_questions_and_statements_and_nothing_held_out():
    queries = development_queries()
    assert {one.kind for one in queries} == set(QueryKind)
    assert {one.split for one in queries} == {"dev"}
    assert len({one.id for one in queries}) == len(queries)
