"""Replies by plain code: whole sentences, whom they speak of, how long they are."""

import re

import pytest

from core.types import Relation, Request, Verdict
from pipelines.attribution.quotes import quoted_strings
from pipelines.conflicts.names.anaphora import opens_unnamed
from pipelines.contracts.evidence import Conflict, Evidence
from pipelines.systems.counter.compose import WORDS, Length, Tone, compose
from pipelines.systems.counter.quotes import choose_quotes, is_quotable
from tests.pipelines.systems.articles import news, open_engine

CLAIM = "The Lindvik ferry carried 900 passengers when it ran aground."
FERRY = news(
    "ferry",
    "Ferry runs aground off Lindvik",
    "The Lindvik ferry ran aground on a sandbank on Friday evening. "
    "It carried 412 passengers, all of whom were brought ashore by midnight. "
    "The summary of the report read in part: "
    "The captain of the Lindvik ferry had been on duty for nineteen hours. "
    "Was the ferry overloaded with passengers and lorries?\n\n"
    "Maren Holt, who runs the port of Lindvik, said the ferry had carried 412 passengers and 38 lorries.",
)
PORT = news(
    "port",
    "Port of Lindvik closes",
    "The port of Lindvik stayed closed to every ferry until Sunday. "
    "Herring prices rose in the ferry-free towns along the coast, traders said.",
    day=7,
    source="Valley Times",
)


def evidence(article, text, relation=Relation.REFUTES, score=0.9, **fields):
    start = article.body.index(text)
    end = start + len(text)
    return Evidence(
        article=article, start=start, end=end, text=text, relevance=score, relation=relation, score=score, **fields
    )


def passage(article):
    return evidence(article, article.body, Relation.MENTIONS)


def texts(quotes):
    return [quote.text for quote in quotes]


def test_a_fragment_is_widened_to_its_sentence():
    [first, *_] = choose_quotes(CLAIM, [evidence(FERRY, "the ferry had carried 412 passengers")], [])
    assert first.text.startswith("Maren Holt, who")
    assert first.text.endswith("38 lorries.")
    assert FERRY.body[first.start : first.end] == first.text


def test_a_sentence_that_names_whom_it_speaks_of_goes_before_a_surer_pronoun():
    surest = evidence(FERRY, "It carried 412 passengers, all of whom were brought ashore by midnight.", score=0.95)
    clear = evidence(PORT, "The port of Lindvik stayed closed to every ferry until Sunday.", score=0.8)
    assert choose_quotes(CLAIM, [surest, clear], [])[0].text == clear.text


def test_the_sentence_before_leads_up_to_a_pronoun():
    item = evidence(FERRY, "It carried 412 passengers, all of whom were brought ashore by midnight.")
    chosen = choose_quotes(CLAIM, [item], [])
    assert texts(chosen)[:2] == [
        "The Lindvik ferry ran aground on a sandbank on Friday evening.",
        "It carried 412 passengers, all of whom were brought ashore by midnight.",
    ]
    for one in compose(chosen, tone=Tone.PLAIN, length=Length.NORMAL):
        assert quoted_strings(one.text)[0].startswith("The Lindvik ferry ran aground")


def test_a_quote_that_repeats_the_sentence_before_it_is_kept():
    said = "She paid a fine of 400 crowns."
    fine = news("fine", "A fine", f"Anna Berg paid a fine of 400 crowns on Monday. {said}")
    chosen = choose_quotes("Anna Berg paid a fine of 900 crowns.", [evidence(fine, said)], [passage(fine)])
    assert texts(chosen) == ["Anna Berg paid a fine of 400 crowns on Monday.", said]
    assert compose(chosen, tone=Tone.PLAIN, length=Length.NORMAL)


def test_a_sentence_that_refutes_and_leads_up_to_another_is_quoted_once():
    lead, said = "Anna Berg paid a fine of 400 crowns in Velmont.", "She left the court of Velmont by a side door."
    fine = news("fine", "A fine", f"{lead} {said}")
    refuting = [evidence(fine, said, score=0.95), evidence(fine, lead, score=0.8)]
    chosen = choose_quotes("Anna Berg paid a fine of 900 crowns.", refuting, [])
    assert texts(chosen) == [lead, said]
    assert {quote.relation for quote in chosen} == {Relation.REFUTES}


def test_further_quotes_are_whole_clear_and_about_the_claim():
    item = evidence(
        FERRY, "Maren Holt, who runs the port of Lindvik, said the ferry had carried 412 passengers and 38 lorries."
    )
    chosen = texts(choose_quotes(CLAIM, [item], [passage(FERRY), passage(PORT)]))
    assert 2 <= len(chosen) <= 3
    assert chosen[0] == item.text
    for text in chosen:
        assert is_quotable(text)
        assert not opens_unnamed(text)
    assert not any("Herring" in text for text in chosen)


def test_nothing_is_quoted_that_says_what_the_claim_got_wrong():
    early = news(
        "early",
        "First reports from Lindvik",
        "First reports said the Lindvik ferry carried 900 passengers. The Lindvik ferry carried cars and lorries too.",
    )
    conflict = Conflict(kind="number", stated="900 passengers", found="412 passengers")
    item = evidence(FERRY, "It carried 412 passengers", conflicts=(conflict,))
    assert not any("900" in text for text in texts(choose_quotes(CLAIM, [item], [passage(early)])))


def test_a_further_quote_that_supports_the_claim_is_left_out():
    item = evidence(
        FERRY, "Maren Holt, who runs the port of Lindvik, said the ferry had carried 412 passengers and 38 lorries."
    )
    every = texts(choose_quotes(CLAIM, [item], [passage(FERRY), passage(PORT)]))
    asked = []

    def judge(pairs):
        asked.extend(pairs)
        return [0.9 if text == every[1] else 0.1 for _, text in pairs]

    chosen = texts(choose_quotes(CLAIM, [item], [passage(FERRY), passage(PORT)], judge=judge))
    assert every[1] not in chosen
    assert chosen[0] == item.text
    assert {claim for claim, _ in asked} == {CLAIM}


@pytest.mark.parametrize(
    ("text", "quotable"),
    [
        ("The ferry of Lindvik was closed on Friday evening.", True),
        ("“The ferry of Lindvik was closed on Friday,” she said.", True),
        ("The summary of the decision read in part:", False),
        ("Was the ferry of Lindvik closed on Friday evening?", False),
        ("closed on Friday evening, the ferry of Lindvik reopened.", False),
        ("The mayor said “the ferry of Lindvik was closed on Friday.", False),
        ("The ferry of Lindvik was closed on Friday evening and", False),
        ("It was closed.", False),
    ],
)
def test_what_can_be_quoted_by_itself(text, quotable):
    assert is_quotable(text) is quotable


@pytest.mark.parametrize(
    ("sentence", "opens"),
    [
        ("He said the bridge was safe.", "He"),
        ("But they left Lindvik at noon.", "they"),
        ("However, this was denied by Maren Holt.", "this"),
        ("“It was safe,” said Maren Holt.", "It"),
        ("The company denied it.", "The company"),
        ("The company of Maren Holt denied it.", ""),
        ("Officials told media that rescuers ended their work.", ""),
        ("Maren Holt said she was sure.", ""),
        ("Italy won.", ""),
        ("We found that ferries are safe.", "We"),
        ("It is recommended that ferries stay in port.", ""),
        ("It was closed on Friday.", "It"),
    ],
)
def test_openings_that_name_nobody_are_known(sentence, opens):
    assert opens_unnamed(sentence) == opens


def sentence(words, number):
    return f"Lindvik report {number} {' '.join(['word'] * (words - 4))} end."


@pytest.mark.parametrize("tone", Tone)
@pytest.mark.parametrize("length", Length)
@pytest.mark.parametrize("sizes", [(8, 8, 8), (20, 40, 12), (45, 45, 45), (50, 10, 10), (12, 90, 9), (95, 8, 8)])
def test_a_reply_has_whole_sentences_or_fewer_of_them(tone, length, sizes):
    articles = [news(f"a{place}", "x", sentence(size, place), source="Post") for place, size in enumerate(sizes)]
    kinds = [Relation.REFUTES, Relation.REFUTES, Relation.MENTIONS]
    quotes = [evidence(one, one.body, kind) for one, kind in zip(articles, kinds, strict=True)]
    replies = [one.text for one in compose(quotes, tone=tone, length=length)]
    assert replies
    assert len(set(replies)) == len(replies)
    whole = {article.body.rstrip("."): number for number, article in enumerate(articles, 1)}
    for reply in replies:
        assert len(reply.split()) <= WORDS[length]
        cited = re.findall(r"“([^”]*)” Doc\[(\d)\]", reply)
        assert cited
        assert [text for text, _ in cited] == quoted_strings(reply)
        assert all(whole[text] == int(number) for text, number in cited)  # as numbered among all quotes
        assert {number for _, number in cited} & {"1", "2"}


def test_the_number_is_said_where_there_is_room_and_one_link_is_one_link():
    conflict = Conflict(kind="number", stated="900", found="412 passengers")
    item = evidence(FERRY, "It carried 412 passengers, all of whom were brought ashore by midnight.")
    [first, *_] = compose([item.model_copy(update={"conflicts": (conflict,)})], tone=Tone.PLAIN, length=Length.NORMAL)
    assert "The number reported is 412 passengers Doc[1]." in first.text
    assert first.text.endswith("the full report at the link below.")


@pytest.mark.parametrize(
    ("found", "said"),
    [("412 passengers", True), ("412", True), ("eleven crew", True), ("two", False), ("2", False), ("7", False)],
)
def test_a_number_that_means_nothing_by_itself_is_not_named(found, said):
    text = "The Lindvik ferry LV-2 carried 412 passengers (7,8) and eleven crew on two decks."
    article = news("deck", "Decks", text)
    conflict = Conflict(kind="number", stated="900", found=found)
    [first, *_] = compose([evidence(article, text, conflicts=(conflict,))], tone=Tone.PLAIN, length=Length.NORMAL)
    assert (f"The number reported is {found} Doc[1]." in first.text) is said


def test_only_the_first_quote_may_open_with_a_pronoun():
    refuting = [
        evidence(FERRY, "It carried 412 passengers, all of whom were brought ashore by midnight.", score=0.95),
        evidence(PORT, "The port of Lindvik stayed closed to every ferry until Sunday.", score=0.8),
    ]
    chosen = choose_quotes(CLAIM, refuting, [passage(FERRY)])
    assert not any(opens_unnamed(quote.text) for quote in chosen)


def test_no_sentence_short_enough_gives_no_reply_and_says_so(tmp_path):
    long = f"The Lindvik ferry carried 412 passengers when it ran aground, {'and so on ' * 45}until Sunday."
    engine = open_engine(tmp_path, (news("long", "Ferry of Lindvik runs aground", long),))
    assert compose([evidence(news("n", "x", long), long)], tone=Tone.PLAIN, length=Length.NORMAL) == []
    result = engine.run("counter", Request(text=CLAIM))
    engine.close()
    assert result.verdict is Verdict.REFUTED
    assert result.answer == "No reply was written. No sentence that refutes it can be quoted whole in 115 words."


@pytest.mark.parametrize("tone", Tone)
@pytest.mark.parametrize("length", Length)
def test_the_system_replies_in_whole_sentences(tmp_path, tone, length):
    engine = open_engine(tmp_path, (FERRY, PORT))
    result = engine.run("counter", Request(text=CLAIM, options={"tone": tone.value, "length": length.value}))
    engine.close()
    assert result.verdict is Verdict.REFUTED
    bodies = {FERRY.url: FERRY.body, PORT.url: PORT.body}
    quotes = quoted_strings(result.answer)
    assert quotes
    assert len(set(quotes)) == len(quotes)
    for quote in quotes:
        assert any(f"{quote}." in body for body in bodies.values())
    assert "900" not in result.answer
    assert "https://" not in result.answer
    assert length is Length.SHORT or any(article.headline in result.answer for article in (FERRY, PORT))
    assert len(result.answer.split()) < 120
