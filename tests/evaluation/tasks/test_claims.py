"""Claims of texts: marked texts at the sentence, composed ones to their verdicts."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.errors import InputError
from core.types import Status, Verdict
from evaluation.data.formats.claims import Claim
from evaluation.data.formats.labels import Label
from evaluation.data.formats.marked_texts import Mark, MarkedSentence, read_marked_texts
from evaluation.runs.models import Prediction
from evaluation.tasks.claims.compose import compose_texts, empty_sentences
from evaluation.tasks.claims.run import MARKED, ClaimsOptions, evaluate_claims
from evaluation.tasks.claims.task import ClaimsItem, ClaimsOutput, FoundClaim, score_claims
from service.cli.main import app
from tests.evaluation.data.test_formats import write

BODY = (
    "The repairs of the Osterholm bridge cost 48 million crowns, the treasurer Anna Berg said. "
    "Lena Voss leads the Harbour Company. The Osterholm bridge was repaired by the Harbour Company in eleven weeks."
)
HEADER = "Sentence_id,Text,Speaker,Speaker_title,Speaker_party,File_id,Length,Line_number,Sentiment,Verdict\n"
ROWS = (
    '1,"In 1959, the deficit was 12 billion dollars.",A,Senator,X,d.txt,8,1,0.1,1\n'
    '2,"I was born in Grand Rapids in 1913.",A,Senator,X,d.txt,8,2,0.1,0\n'
    '3,"What do you think about that?",B,Moderator,,d.txt,6,3,0.0,-1\n'
)


def _statements(count, label=Label.SUPPORTS):
    return [Claim(id=f"s{at}", text=f"The dam of Corve held {at + 20} boats.", label=label) for at in range(count)]


def test_bundled_texts_are_read_with_their_marks():
    texts = read_marked_texts(MARKED)
    assert len(texts) == 40
    sentences = [(text, one) for text in texts for one in text.sentences]
    assert sum(one.mark is Mark.CLAIM for _, one in sentences) == 219
    assert all(text.text[one.start : one.end].strip() for text, one in sentences)
    assert any(one.names for _, one in sentences)


def test_claimbusters_form_is_read_as_it_is_published(tmp_path):
    texts = read_marked_texts(write(tmp_path, "groundtruth.csv", HEADER + ROWS))
    assert [text.id for text in texts] == ["1", "2", "3"]
    assert [text.sentences[0].mark for text in texts] == [Mark.CLAIM, Mark.UNIMPORTANT, Mark.NONE]
    assert texts[0].text == "In 1959, the deficit was 12 billion dollars."


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.csv", "Sentence_id,Text\n1,a\n", "column Verdict"),
        ("a.csv", f'{HEADER}1,"A b.",A,,,f,2,1,0,7\n', "Verdict is '7'"),
        ("a.csv", f'{HEADER}1,"",A,,,f,2,1,0,1\n', "Text is empty"),
        ("a.csv", HEADER, "no texts"),
        ("a.csv", HEADER + ROWS + ROWS, "stands twice"),
        ("a.jsonl", '{"text": "A b."}\n', "sentences"),
        ("a.jsonl", '{"text": "A b.", "sentences": [{"start": 0, "end": 9, "label": "claim"}]}\n', "from 0 to 9"),
        ("a.jsonl", '{"text": "A b.", "sentences": [{"start": 0, "end": 4}]}\n', "label"),
        (
            "a.jsonl",
            '{"text": "A b.", "sentences": [{"start": 0, "end": 4, "label": "claim", "verdict": "blue"}]}\n',
            "'blue'",
        ),
        (
            "a.jsonl",
            '{"text": "A b.", "published_at": "soon", "sentences": [{"start": 0, "end": 4, "label": "claim"}]}\n',
            "published_at",
        ),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(tmp_path, name, content, told):
    with pytest.raises(InputError, match="line") as caught:
        read_marked_texts(write(tmp_path, name, content))
    assert told in caught.value.message


def test_texts_are_composed_of_each_statement_once_with_empty_sentences_between():
    statements = _statements(40)
    texts = compose_texts(statements, ["How nice.", "Thank you!"])
    told = [text.text[one.start : one.end] for text in texts for one in text.sentences if one.mark is Mark.CLAIM]
    assert sorted(told) == sorted(one.text for one in statements)
    assert all(text.text[one.start : one.end] for text in texts for one in text.sentences)
    assert {text.text[one.start : one.end] for text in texts for one in text.sentences if one.mark is Mark.NONE} == {
        "How nice.",
        "Thank you!",
    }
    assert texts == compose_texts(statements, ["How nice.", "Thank you!"])


def test_empty_sentences_are_those_that_nobody_marked_as_claims():
    found = empty_sentences(read_marked_texts(MARKED))
    assert len(found) > 100
    assert all(one.endswith((".", "!", "?")) for one in found)


TEXT = "One is true. Two is false. Three is open. Four is false. Wonderful!"
GOLD = (Label.SUPPORTS, Label.REFUTES, Label.NEITHER, Label.REFUTES, None)


def _item():
    sentences, at = [], 0
    for words, gold in zip(
        ("One is true.", "Two is false.", "Three is open.", "Four is false.", "Wonderful!"), GOLD, strict=True
    ):
        start = TEXT.index(words, at)
        at = start + len(words)
        mark = Mark.CLAIM if gold else Mark.NONE
        sentences.append(MarkedSentence(start=start, end=at, mark=mark, label=mark.value, verdict=gold))
    return ClaimsItem(id="t", text=TEXT, sentences=tuple(sentences))


def _claim(words, verdict):
    start = TEXT.index(words)
    return FoundClaim(
        start=start, end=start + len(words), standalone=words, worth=0.9, unclear=verdict is None, verdict=verdict
    )


def test_figures_are_counted_as_they_are_defined():
    output = ClaimsOutput(
        claims=(
            _claim("One is", Verdict.VERIFIED),
            _claim("true.", Verdict.CONFLICTING),
            _claim("Two is false.", Verdict.REFUTED),
            _claim("Three is open.", None),
            _claim("Four is false.", Verdict.VERIFIED),
            _claim("Wonderful!", Verdict.UNVERIFIED),
        )
    )
    scores = score_claims([_item()], [Prediction(id="t", status=Status.OK, output=output)])
    found = {name: value.value for name, value in scores.measures.items()}
    assert found["precision"] == 4 / 5
    assert found["recall"] == found["claims_found"] == 1.0
    assert found["empty_taken"] == 1.0
    assert (found["false_flagged"], found["false_verified"]) == (0.5, 0.5)
    assert (found["true_flagged"], found["true_verified"]) == (1.0, 0.0)  # one of its claims is disputed
    assert found["true_flagged_per_1000_words"] == pytest.approx(1000 / len(TEXT.split()))
    assert found["open_flagged"] == 0.0
    assert found["unclear"] == 1 / 6
    assert scores.per_item["t"]["false_flagged"] == 0.5


def test_a_text_that_failed_is_not_scored():
    scores = score_claims([_item()], [])
    assert scores.measures["recall"].value is None
    assert scores.details[0].failed


def test_the_order_of_worth_is_scored_where_unimportant_facts_are_marked(tmp_path):
    path = write(tmp_path, "groundtruth.csv", HEADER + ROWS)
    _, report = evaluate_claims(path, _settings(tmp_path), ClaimsOptions())
    assert report.measures["recall"].value == report.measures["precision"].value == 1.0
    assert 0.5 <= report.measures["worth_ap"].value <= 1.0


def _settings(tmp_path: Path):
    from core.settings import load_settings

    return load_settings({"data_dir": tmp_path / "var"}, environment={})


def test_the_command_checks_texts_made_of_statements(tmp_path):
    article = {"id": "a", "url": "https://a.example/x", "headline": "Osterholm bridge repaired", "body": BODY}
    write(tmp_path, "articles.jsonl", json.dumps(article | {"published_at": "2020-01-02"}))
    claims = [
        {"id": "t", "claim": "The repairs of the Osterholm bridge cost 48 million crowns.", "label": "supported"},
        {"id": "f", "claim": "The repairs of the Osterholm bridge cost 95 million crowns.", "label": "refuted"},
    ]
    data = write(tmp_path, "claims.jsonl", "\n".join(map(json.dumps, claims)))
    arguments = ["evaluate", "claims", "--data", data, "--out", tmp_path / "out", "--data-dir", tmp_path / "var"]
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "out/report.json").read_text())
    found = {name: value["value"] for name, value in report["measures"].items()}
    assert (found["claims_found"], found["false_flagged"], found["true_verified"]) == (1.0, 1.0, 1.0)
    assert (found["true_flagged_per_1000_words"], found["false_verified"]) == (0.0, 0.0)
    (line,) = (tmp_path / "out/per_query.jsonl").read_text().splitlines()
    assert json.loads(line)["id"] == "composed-1"


def test_statements_with_evidence_of_their_own_are_refused(tmp_path):
    row = {"claim": "The dam of Corve held.", "label": "supported", "evidence": ["It held."]}
    path = write(tmp_path, "claims.jsonl", json.dumps(row))
    with pytest.raises(InputError, match="brings its evidence"):
        evaluate_claims(path, _settings(tmp_path), ClaimsOptions())
