import json
import re

import pytest

from core.errors import InputError
from core.settings import load_settings
from core.types import QueryKind, Relation, Request, Status, Verdict
from pipelines.attribution.citations import read_citations
from pipelines.attribution.quotes import find_quote, quoted_strings
from pipelines.contracts.evidence import Conflict, Evidence
from pipelines.engine import Engine
from pipelines.systems.counter.compose import Length, Tone
from pipelines.systems.counter.courtesy import states_nothing
from pipelines.systems.counter.politeness import politeness
from pipelines.systems.counter.quoter import shows
from pipelines.systems.counter.reranker import open_reranker, rerank
from tests.chat_server import ChatServer, status
from tests.pipelines.systems.articles import BRIDGE, open_engine

FALSE = "The repairs of the Osterholm bridge cost 95 million crowns."
TRUE = "The repairs of the Osterholm bridge cost 48 million crowns."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("counter")


@pytest.fixture(scope="module")
def small(folder):
    engine = open_engine(folder, BRIDGE)
    yield engine
    engine.close()


def chat_engine(small, server):
    chat = {"generator": "openai", "generator_url": server.url, "generator_model": "scripted", "generator_retries": 0}
    return Engine(load_settings({"data_dir": small.settings.data_dir, "threads": 2} | chat, environment={}))


def check_reply(result):
    """What every reply must be."""
    text = re.sub(r"https?://\S+", "", result.answer)
    assert len(text.split()) < 120
    bodies = {article.url: article.body for article in BRIDGE}
    quotes = quoted_strings(text)
    assert quotes
    assert all(any(find_quote(quote, body) for body in bodies.values()) for quote in quotes)
    cited = read_citations(text, given={reference.number for reference in result.references})
    assert not cited.dropped
    assert {number for sentence in cited.sentences for number in sentence.numbers}
    assert "https://" not in result.answer  # a title names the article, its reference holds the link
    assert re.search(r"Doc\[\d\]\.?$", result.answer) or len(text.split()) > 50
    for reference in result.references:
        for quote in reference.quotes:
            assert bodies[reference.url][quote.start : quote.end] == quote.text


@pytest.mark.parametrize("tone", Tone)
@pytest.mark.parametrize("length", Length)
def test_a_refuted_claim_gets_a_reply_out_of_quotes(small, tone, length):
    result = small.run("counter", Request(text=FALSE, options={"tone": tone.value, "length": length.value}))
    assert (result.status, result.verdict) == (Status.OK, Verdict.REFUTED)
    check_reply(result)
    assert "48 million" in result.answer
    assert not result.answer.startswith(FALSE[:20])
    assert "95 million" not in result.answer
    assert any(notice.code == "written_by" and "no chat model" in notice.message for notice in result.warnings)
    assert [section.title for section in result.sections if section.kind == "score"] == [
        "Refutation", "Factuality", "Politeness", "Relevance to claim", "Relevance to evidence",
    ]  # fmt: skip
    assert len(result.answer.split()) <= (62 if length is Length.SHORT else 117)


@pytest.mark.parametrize(
    ("text", "verdict", "why"),
    [
        (TRUE, Verdict.VERIFIED, "the articles support it"),
        ("Osterholm will host the chess Olympiad.", Verdict.UNVERIFIED, "do not settle it|nothing in the archive"),
        ("Zyzzyva qwrtplk xylo.", Verdict.UNVERIFIED, "nothing in the archive bears on it"),
        ("What did the Osterholm bridge cost?", None, "This is a question"),
    ],
)
def test_anything_else_says_why_there_is_no_reply(small, text, verdict, why):
    result = small.run("counter", Request(text=text))
    assert result.status is not Status.FAILED
    assert verdict is None or result.verdict is verdict
    assert re.search(why, result.answer)
    assert result.answer.startswith("No reply was written.")
    assert not result.sections


def test_a_claim_that_is_too_long_to_be_judged_whole_is_told(small):
    text = f"{FALSE[:-1]}{', and the prime minister was arrested for murder' * 20}."
    result = small.run("counter", Request(text=text, kind=QueryKind.STATEMENT))
    assert result.verdict is Verdict.UNVERIFIED
    assert "statement_cut" in {notice.code for notice in result.warnings}


@pytest.mark.parametrize(
    "options", [{"tone": "rude"}, {"length": "epic"}, {"candidates": 0}, {"candidates": 99}, {"colour": "red"}]
)
def test_bad_options_are_refused(small, options):
    with pytest.raises(InputError, match=next(iter(options))):
        small.run("counter", Request(text=FALSE, options=options))


def test_an_empty_store_gives_no_reply(tmp_path):
    engine = open_engine(tmp_path, ())
    result = engine.run("counter", Request(text=FALSE))
    engine.close()
    assert result.status is Status.NO_EVIDENCE
    assert "nothing in the archive bears on it" in result.answer


GOOD = (
    "The Valley Times gave the final figure: “It came to 48 million crowns for the Osterholm bridge repairs” Doc[2]. "
    "The city treasurer said “The repairs of the Osterholm bridge cost 48 million crowns” Doc[1]."
)


def reply(text):
    return json.dumps({"reply": text})


def test_a_model_writes_and_its_unsupported_sentences_go(small):
    scripted = reply(f"{GOOD} The mayor bribed 300 witnesses in Paris Doc[1].")
    with ChatServer(scripted) as server:
        engine = chat_engine(small, server)
        result = engine.run("counter", Request(text=FALSE, options={"candidates": 2}))
        engine.close()
    assert "bribed" not in result.answer
    assert len(server.requests) == 2
    assert server.requests[0]["temperature"] == 0
    assert server.requests[1]["temperature"] > 0
    check_reply(result)


@pytest.mark.parametrize(
    "scripted",
    [
        reply(
            "You are a stupid liar! WAKE UP NOW! “The repairs of the Osterholm bridge cost 48 million crowns” Doc[1]."
        ),
        reply("The repairs of the Osterholm bridge cost 95 million crowns. That is false Doc[1]."),
        reply("The bridge was free of charge for all of the people Doc[7]."),
        reply("word " * 300),
        reply(""),
    ],
    ids=["rude", "repeats the claim", "unknown document", "too long", "empty"],
)
def test_a_bad_reply_of_a_model_is_not_returned(small, scripted):
    with ChatServer(scripted) as server:
        engine = chat_engine(small, server)
        result = engine.run("counter", Request(text=FALSE, options={"candidates": 1}))
        engine.close()
    check_reply(result)
    assert any("no chat model" in notice.message for notice in result.warnings)


def test_an_unparsable_reply_is_asked_for_again_and_then_counted(small):
    with ChatServer("Sure! Here is a reply.") as server:
        engine = chat_engine(small, server)
        result = engine.run("counter", Request(text=FALSE, options={"candidates": 1}))
        engine.close()
    assert len(server.requests) == 2
    assert server.requests[0]["seed"] != server.requests[1]["seed"]
    assert "reply_unparsable" in {notice.code for notice in result.warnings}
    check_reply(result)


def test_a_server_that_is_down_is_told_and_the_quotes_speak(small):
    with ChatServer(status(500)) as server:
        engine = chat_engine(small, server)
        result = engine.run("counter", Request(text=FALSE))
        engine.close()
    assert "generator_failed" in {notice.code for notice in result.warnings}
    check_reply(result)


@pytest.mark.parametrize(
    "text", ["You are stupid.", "WRONG WRONG people", "Shame on you!", "you are clearly wrong, liar"]
)
def test_rude_words_cost(text):
    assert politeness(text)[0] < 0.75
    assert politeness(text, quoted=text)[0] >= politeness(text)[0]


def test_courtesies_state_nothing_and_facts_do():
    assert states_nothing("Thank you for raising this.")
    assert states_nothing("Post reported on 5 May: “anything at all”.", sources="Post May")
    assert not states_nothing("Officials were bribed by aliens.")
    assert states_nothing("Reports tell it differently.")
    assert states_nothing("I understand that you want to know what is true.")
    assert not states_nothing("You say what is true.")
    assert not states_nothing("Reports tell it differently, and it is not true.")


def test_the_reranker_puts_passages_about_the_claim_first_and_keeps_their_places(small):
    store = small.resources.store()
    documents = store.keyword_search("bridge cup goals council", top_k=10)
    articles = {one.id: store.get_articles([one.meta["article_id"]])[one.meta["article_id"]] for one in documents}
    found = rerank(FALSE, documents, articles, open_reranker(threads=2))
    assert len(found) == len(documents) > 1
    assert "Osterholm" in found[0].text
    assert found[-1].article.headline == "Harrow Fen wins the cup"
    assert all(one.article.body[one.start : one.end] == one.text for one in found)
    assert rerank(FALSE, [], {}, open_reranker(threads=2)) == []


def test_a_quote_that_does_not_show_it_is_not_sent():
    claim = "The repairs of the Osterholm bridge cost 95 million crowns."
    article = BRIDGE[0]
    sentences = ["The repairs of the Osterholm bridge cost 48 million crowns, the city treasurer Anna Berg said.",
                 "Mayor Otto Grimm thanked the drivers of Osterholm for their patience."]  # fmt: skip
    items = [
        Evidence(
            article=article,
            start=article.body.index(text),
            end=article.body.index(text) + len(text),
            text=text,
            relevance=0.9,
            relation=Relation.REFUTES,
            score=0.6,
            conflicts=(Conflict(kind="number", stated="95 million", found="48 million"),),
        )
        for text in sentences
    ]
    assert [shows(claim, item) for item in items] == [True, False]
    assert not shows("The repairs of the Velmont tunnel in Lisk cost 95 million crowns.", items[0])
