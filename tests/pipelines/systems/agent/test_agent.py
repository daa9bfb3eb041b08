import json
import re
import sys
import threading
from datetime import UTC, datetime
from importlib.util import find_spec

import pytest

from core.errors import CancelledError, ConfigError, InputError
from core.settings import load_settings
from core.types import Filters, Request, Status, Verdict
from pipelines.engine import Engine
from pipelines.runs.replay import replay
from pipelines.systems.agent.claim_facets import PartKind, covers, parts_of
from pipelines.systems.agent.conversation import Conversation, history_of
from pipelines.systems.agent.next_search import Plan
from pipelines.systems.agent.types import Round
from tests.chat_server import ChatServer, Script, status
from tests.pipelines.systems.agent.search_server import SearchServer
from tests.pipelines.systems.articles import BRIDGE, news, open_engine

TRUE = "The repairs of the Osterholm bridge cost 48 million crowns."
FALSE = "The repairs of the Osterholm bridge cost 95 million crowns."
ROWS = [
    {
        "title": "Osterholm bridge reopens",
        "url": "https://valley.example/bridge",
        "text": "The repairs of the Osterholm bridge cost 48 million crowns, the treasurer said.",
        "date": "2021-05-02T10:00:00",
    },
    {
        "title": "Undated note",
        "url": "https://blog.example/note",
        "text": "The Osterholm bridge repairs cost 48 million crowns & more.",
    },
    {"title": "", "url": "https://blog.example/empty", "text": "No title."},
    {"title": "Bad link", "url": "javascript:alert(1)", "text": "The Osterholm bridge repairs."},
]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    engine = open_engine(tmp_path_factory.mktemp("agent"), BRIDGE)
    yield engine
    engine.close()


def engine_with(small, **flags):
    return Engine(load_settings({"data_dir": small.settings.data_dir, "threads": 2} | flags, environment={}))


def chat_flags(server):
    return {"generator": "openai", "generator_url": server.url, "generator_model": "scripted", "generator_retries": 0}


def rounds_of(result):
    return [section for section in result.sections if section.kind == "round"]


def certainty_of(result):
    (section,) = [section for section in result.sections if section.kind == "certainty"]
    return section.scores["certainty, 0 to 100"]


@pytest.mark.parametrize(("claim", "verdict"), [(TRUE, Verdict.VERIFIED), (FALSE, Verdict.REFUTED)])
def test_a_claim_is_investigated_and_judged_from_quotes(small, claim, verdict):
    result = small.run("agent", Request(text=claim))
    assert (result.status, result.verdict) == (Status.OK, verdict)
    rounds = rounds_of(result)
    assert 1 <= len(rounds) <= 10
    assert rounds[0].title == f"Search 1: {claim}"
    assert "origins" in rounds[0].text
    assert result.searched.queries == tuple(one.title.split(": ", 1)[1] for one in rounds)
    assert 0 <= certainty_of(result) <= 100
    assert "48 million" in result.answer
    assert any("no chat model" in notice.message for notice in result.warnings)


def test_what_is_not_covered_is_searched_for_again_and_said(small):
    result = small.run("agent", Request(text="Mayor Otto Grimm married Anna Berg in Velmont on 3 June 2020."))
    queries = [one.title for one in rounds_of(result)]
    assert len(queries) > 2
    assert len(set(queries)) == len(queries)
    assert any("Velmont" in query for query in queries[1:])
    assert any("where: Velmont" in line for line in result.missing)
    assert result.verdict is Verdict.UNVERIFIED


def test_searches_are_told_as_progress_and_can_be_stopped(small):
    seen = []
    small.run("agent", Request(text=TRUE), progress=lambda event: seen.append((event.unit, event.message)))
    assert ("searches", TRUE) in seen

    def stop(event):
        if event.unit == "searches":
            raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        small.run("agent", Request(text=TRUE), progress=stop)


@pytest.mark.parametrize(
    ("options", "field"),
    [({"rounds": 0}, "rounds"), ({"rounds": 11}, "rounds"), ({"results": 50}, "results"), ({"seconds": -1}, "seconds"),
     ({"block": "not a domain!"}, "block"), ({"allow": "http://x.example/"}, "allow"), ({"colour": "red"}, "colour")],
)  # fmt: skip
def test_bad_options_are_refused(small, options, field):
    with pytest.raises(InputError, match=field):
        small.run("agent", Request(text=TRUE, options=options))


def test_a_spent_budget_ends_the_search_and_is_said(small):
    result = small.run("agent", Request(text="Otto Grimm married Anna Berg in Velmont.", options={"rounds": 1}))
    assert len(rounds_of(result)) == 1
    assert "budget of 1 searches" in next(one.message for one in result.warnings if one.code == "budget_spent")
    timed = small.run("agent", Request(text="Otto Grimm married Anna Berg in Velmont.", options={"seconds": 1e-9}))
    assert timed.status is Status.NO_EVIDENCE
    assert any(one.code == "budget_spent" for one in timed.warnings)


def test_an_empty_store_is_no_evidence(tmp_path):
    engine = open_engine(tmp_path, ())
    result = engine.run("agent", Request(text=TRUE))
    engine.close()
    assert (result.status, result.verdict) == (Status.NO_EVIDENCE, Verdict.UNVERIFIED)
    assert rounds_of(result)[0].text == "Nothing was found."


def test_as_of_block_and_allow_bound_the_store(small):
    early = small.run("agent", Request(text=TRUE, as_of=datetime(2020, 6, 1, tzinfo=UTC)))
    assert not early.references
    blocked = small.run("agent", Request(text=TRUE, options={"block": "news.example"}))
    assert not blocked.references
    assert any("Left out" in line for one in rounds_of(blocked) for line in one.lines)
    other = small.run("agent", Request(text=TRUE, options={"allow": "elsewhere.example, other.example"}))
    assert not other.references
    same = small.run("agent", Request(text=TRUE, options={"allow": "news.example"}))
    assert same.references


@pytest.mark.parametrize("kind", ["searxng", "brave"])
def test_other_engines_are_asked_in_their_protocol(small, monkeypatch, kind):
    with SearchServer(ROWS) as server:
        monkeypatch.setenv("LOOKSY_SEARCH_API_KEY", "secret")
        settings = load_settings(
            {"data_dir": small.settings.data_dir, "search_backend": kind, "search_url": server.url}
        )
        engine = Engine(settings)
        result = engine.run("agent", Request(text=TRUE))
        bounded = engine.run("agent", Request(text=TRUE, as_of=datetime(2022, 1, 1, tzinfo=UTC)))
        late = engine.run("agent", Request(text=TRUE, as_of=datetime(2020, 1, 1, tzinfo=UTC)))
        engine.close()
    assert result.verdict is Verdict.VERIFIED
    assert {"https://valley.example/bridge"} <= {reference.url for reference in result.references}
    assert not any("javascript" in reference.url for reference in result.references)
    assert server.queries[0] == TRUE
    assert "secret" in server.keys[0]
    assert "secret" not in result.model_dump_json()
    assert {reference.url for reference in bounded.references} == {"https://valley.example/bridge"}
    assert not late.references


def test_a_search_of_another_engine_is_replayed_without_asking_it(small):
    with SearchServer(ROWS) as server:
        engine = engine_with(small, search_backend="searxng", search_url=server.url)
        before = engine.run("agent", Request(text=TRUE))
        asked = len(server.queries)
        done = replay(before, engine)
        engine.close()
    assert len(server.queries) == asked
    assert done.differences == ()


@pytest.mark.parametrize(
    "server", [SearchServer([], status=500), SearchServer([], raw=b"<html>"), SearchServer([], raw=b"[1]")],
    ids=["500", "no json", "no object"],
)  # fmt: skip
def test_an_engine_that_fails_is_a_failure_and_no_finding(small, server):
    with server:
        engine = engine_with(small, search_backend="searxng", search_url=server.url)
        result = engine.run("agent", Request(text=TRUE))
        engine.close()
    assert (result.status, result.verdict) == (Status.FAILED, None)
    assert result.failure.code == "unavailable"
    assert "search" in result.failure.message


def test_an_engine_that_hangs_is_given_up_in_time(small):
    release = threading.Event()
    with SearchServer(ROWS, delay=release) as server:
        engine = engine_with(small, search_backend="searxng", search_url=server.url, search_timeout=0.2)
        result = engine.run("agent", Request(text=TRUE, options={"rounds": 1}))
        release.set()
        engine.close()
    assert result.status is Status.FAILED
    assert "Timeout" in result.failure.message


@pytest.mark.parametrize("kind", ["searxng", "brave", "mcp"])
def test_engines_are_off_unless_they_are_configured(small, kind):
    engine = engine_with(small, search_backend=kind)
    with pytest.raises(ConfigError, match="is not set"):
        engine.run("agent", Request(text=TRUE))
    engine.close()


needs_mcp = pytest.mark.skipif(find_spec("mcp") is None, reason="needs: pip install 'looksy[mcp]'")
MCP_SERVER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "t", "version": "1"}}
    if message["method"] == "server/discover":
        error = {"code": -32601, "message": "no such method"}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}), flush=True)
        continue
    if message["method"] == "tools/call":
        assert message["params"]["name"] == "search"
        rows = json.loads(%r)
        result = {"content": [{"type": "text", "text": json.dumps(rows)}], "isError": False}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@needs_mcp
def test_a_tool_of_an_mcp_server_searches(small, tmp_path):
    script = tmp_path / "server.py"
    script.write_text(MCP_SERVER % json.dumps(ROWS))
    engine = engine_with(small, search_backend="mcp", search_command=f"{sys.executable} {script}")
    result = engine.run("agent", Request(text=TRUE, options={"rounds": 2}))
    engine.close()
    assert result.verdict is Verdict.VERIFIED
    assert "https://valley.example/bridge" in {reference.url for reference in result.references}


@needs_mcp
@pytest.mark.parametrize("code", ["", "print('no json', flush=True)", "import time; time.sleep(30)"])
def test_an_mcp_server_that_fails_is_a_failure(small, tmp_path, code):
    script = tmp_path / "server.py"
    script.write_text(code)
    command = f"{sys.executable} {script}"
    engine = engine_with(small, search_backend="mcp", search_command=command, search_timeout=1.0)
    result = engine.run("agent", Request(text=TRUE, options={"rounds": 1}))
    engine.close()
    assert result.status is Status.FAILED
    assert "MCP server" in result.failure.message


SEARCH = json.dumps({"search": "Osterholm bridge repairs cost"})
REPORT = json.dumps(
    {"report": "The repairs of the Osterholm bridge cost 48 million crowns Doc[1]. Aliens paid 7 coins Doc[1]."}
)
STOP = json.dumps({"search": None})


def conclusion(verdict, text="The repairs of the Osterholm bridge cost 48 million crowns Doc[1]."):
    return json.dumps({"analysis": text, "verdict": verdict})


def test_the_main_model_sees_no_documents_and_the_researcher_no_claim(small):
    script = (SEARCH, REPORT, STOP, conclusion("refuted"), json.dumps({"certainty": 88}))
    with ChatServer(*script) as server:
        engine = engine_with(small, **chat_flags(server))
        result = engine.run("agent", Request(text=FALSE))
        engine.close()
    assert result.verdict is Verdict.REFUTED
    assert certainty_of(result) == 88
    first, searched = rounds_of(result)
    assert first.title == f"Search 1: {FALSE}"
    assert searched.title.endswith("Osterholm bridge repairs cost")
    assert "48 million" in searched.text
    assert "Aliens" not in searched.text
    shown = [json.dumps(request["messages"]) for request in server.requests]
    assert "95 million" not in shown[1]
    assert "212 bearings" in shown[1]
    assert not any("212 bearings" in text for text in (shown[0], shown[2], shown[3], shown[4]))
    assert any("Written by openai:scripted" in notice.message for notice in result.warnings)
    assert [call.purpose for call in result.run.calls] == [
        "agent_search", "agent_report", "agent_search", "agent_verdict", "agent_certainty",
    ]  # fmt: skip


def test_a_model_that_concludes_against_the_evidence_changes_no_verdict(small):
    script = (
        SEARCH,
        REPORT,
        STOP,
        conclusion("supported", "The claim is verified Doc[1]."),
        json.dumps({"certainty": 100}),
    )
    with ChatServer(*script) as server:
        engine = engine_with(small, **chat_flags(server))
        result = engine.run("agent", Request(text=FALSE))
        engine.close()
    assert result.verdict is Verdict.REFUTED
    section = next(one for one in result.sections if one.kind == "certainty")
    assert "concluded otherwise" in section.text
    assert section.lines == ("The model concluded: supported with certainty 100.",)


@pytest.mark.parametrize("search", ["people, places, and things in full", "Osterholm bridge repairs cost"])
def test_a_search_about_something_else_or_made_already_is_the_plans(small, search):
    """The second reply repeats the first search; the first of the other case has no word of the claim."""
    asked = json.dumps({"search": search})
    with ChatServer(
        asked, REPORT, asked, REPORT, STOP, conclusion("supported"), json.dumps({"certainty": 9})
    ) as server:
        engine = engine_with(small, **chat_flags(server))
        result = engine.run("agent", Request(text=TRUE))
        engine.close()
    titles = [one.title.partition(": ")[2] for one in rounds_of(result)]
    assert titles[0] == TRUE
    assert len(set(titles)) == len(titles)
    assert "people, places, and things in full" not in titles
    assert result.verdict is Verdict.VERIFIED


def test_nobody_is_certain_of_a_refusal(tmp_path):
    empty = open_engine(tmp_path, [news("h", "Harbour", "The harbour was closed for the winter.")])
    with ChatServer(STOP, REPORT, STOP, conclusion("unclear", "Nothing."), json.dumps({"certainty": 100})) as server:
        engine = engine_with(empty, **chat_flags(server))
        result = engine.run("agent", Request(text="Queen Beatrix opened a museum in Lima."))
        engine.close()
    empty.close()
    assert result.verdict is Verdict.UNVERIFIED
    (section,) = [section for section in result.sections if section.kind == "certainty"]
    assert section.scores == {}
    assert "nothing to be certain of" in section.text


def test_unparsable_replies_are_retried_once_counted_and_plain_code_goes_on(small):
    with ChatServer("I would like to search for the bridge.") as server:
        engine = engine_with(small, **chat_flags(server))
        result = engine.run("agent", Request(text=TRUE))
        engine.close()
    assert len(server.requests) == 2
    assert "reply_unparsable" in {notice.code for notice in result.warnings}
    assert result.verdict is Verdict.VERIFIED
    assert any("no chat model" in notice.message for notice in result.warnings)


@pytest.mark.parametrize("search", ["   ", "\x00", "?!"])
def test_a_search_without_a_word_is_no_search(small, search):
    with ChatServer(json.dumps({"search": search}), json.dumps({"search": search}), STOP) as server:
        engine = engine_with(small, **chat_flags(server))
        result = engine.run("agent", Request(text=TRUE))
        engine.close()
    assert (result.status, result.verdict) == (Status.OK, Verdict.VERIFIED)
    assert "reply_unparsable" in {notice.code for notice in result.warnings}
    assert rounds_of(result)[0].title == f"Search 1: {TRUE}"


def test_a_model_whose_later_reply_is_unusable_had_a_part(small):
    with ChatServer(SEARCH, REPORT, "I am done.") as server:
        engine = engine_with(small, **chat_flags(server))
        result = engine.run("agent", Request(text=TRUE))
        engine.close()
    assert "reply_unparsable" in {notice.code for notice in result.warnings}
    assert "48 million" in rounds_of(result)[0].text
    assert any("Written by openai:scripted" in notice.message for notice in result.warnings)
    assert not any("no chat model" in notice.message for notice in result.warnings)


@pytest.mark.parametrize("script", [status(500), Script(text="x", delay_s=3)], ids=["500", "slow"])
def test_a_model_server_that_is_down_or_slow_is_told(small, script):
    with ChatServer(script) as server:
        engine = engine_with(small, generator_timeout=0.3, **chat_flags(server))
        result = engine.run("agent", Request(text=TRUE))
        engine.close()
    assert "generator_failed" in {notice.code for notice in result.warnings}
    assert result.verdict is Verdict.VERIFIED


def test_a_model_that_never_stops_is_stopped_by_the_budget(small):
    turns = []

    def talk(messages):
        turns.append(messages)
        if "What should be searched for next" in messages[-1]["content"]:
            return json.dumps({"search": f"Osterholm bridge {len(turns)}"})
        if "Report in 100 words" in messages[-1]["content"]:
            return REPORT
        return conclusion("unclear")

    with ChatServer(talk) as server:
        engine = engine_with(small, **chat_flags(server))
        result = engine.run("agent", Request(text=TRUE, options={"rounds": 3}))
        tokens = engine.run("agent", Request(text=TRUE, options={"tokens": 100}))
        engine.close()
    assert len(rounds_of(result)) == 3
    assert any("3 searches" in notice.message for notice in result.warnings if notice.code == "budget_spent")
    assert any("100 tokens" in notice.message for notice in tokens.warnings if notice.code == "budget_spent")
    assert "reply_unparsable" in {notice.code for notice in result.warnings}  # the certainty


def test_claims_are_split_into_who_what_when_where_and_how_many():
    claim = "Otto Grimm sold 212 boats in Velmont on 3 June 2020."
    found = {part.kind: part.text for part in parts_of(claim)}
    assert found[PartKind.WHO] == "Otto Grimm"
    assert found[PartKind.WHERE] == "Velmont"
    assert found[PartKind.HOW_MANY] == "212"
    assert found[PartKind.WHEN] == "3 June 2020"
    assert "boats" in found[PartKind.WHAT]


def test_a_part_is_covered_only_by_a_sentence_about_the_claim():
    claim = "Otto Grimm sold 212 boats in Velmont."
    part = next(one for one in parts_of(claim) if one.kind is PartKind.WHERE)
    assert covers(part, claim, "Otto Grimm sold boats in Velmont last year.")
    assert not covers(part, claim, "Velmont has a museum.")


def test_a_length_covers_no_year():
    claim = "The Velmont bridge was opened in 2019."
    [when] = [part for part in parts_of(claim) if part.kind is PartKind.WHEN]
    assert covers(when, claim, "The Velmont bridge was opened in 2019 or so.")
    assert not covers(when, claim, "The Velmont bridge was opened eight metres above the river.")


def test_the_plan_asks_each_query_once_and_ends():
    plan = Plan("Otto Grimm sold 212 boats in Velmont on 3 June 2020.")
    queries = []
    while (left := plan.next()) is not None:
        queries.append(left[0])
    assert len(queries) == len(set(queries)) <= 20
    plan = Plan(TRUE)
    plan.next()
    assert plan.read([(BRIDGE[0].headline, BRIDGE[0].body)])
    assert plan.open_parts() == ()
    assert plan.next() is None


def test_filters_reach_other_engines(small):
    with SearchServer(ROWS) as server:
        engine = engine_with(small, search_backend="searxng", search_url=server.url)
        late = Filters(published_from=datetime(2022, 1, 1, tzinfo=UTC))
        result = engine.run("agent", Request(text=TRUE, filters=late, options={"rounds": 1}))
        engine.close()
    assert not result.references
    assert re.search(r"Left out: \d results", " ".join(rounds_of(result)[0].lines))


def test_the_latest_reports_are_told_where_not_all_fit() -> None:
    rounds = [Round(query=f"search {number}", report="word " * 40) for number in range(20)]
    told = history_of(rounds, first=18)
    assert [line.split(".")[0] for line in told.splitlines() if "Searched for" in line] == ["19", "20"]
    with ChatServer(STOP) as server:
        engine = Engine(load_settings(chat_flags(server) | {"generator_context_tokens": 700}, environment={}))
        talk = Conversation("The bridge reopened.", engine.resources.generator(), engine.settings)
        assert talk.next_search(rounds, left=2) == (True, None)
        engine.close()
    shown = server.messages[-1]["content"]
    assert "20. Searched for" in shown
    assert "\n1. Searched for" not in shown
