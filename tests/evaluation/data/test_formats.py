import gzip
import json
from collections import Counter

import pytest

from core.errors import InputError, NotFoundError
from core.paths import DATASETS, SAMPLE
from evaluation.data.formats.claims import read_claims
from evaluation.data.formats.corpus import read_corpus
from evaluation.data.formats.labels import NAMES, Label, map_label
from evaluation.data.formats.lines import read_objects
from evaluation.data.formats.qa_rows import read_qa
from evaluation.data.formats.questions import read_queries
from evaluation.data.formats.retrieval_data import read_retrieval_data
from evaluation.data.formats.squad import read_squad
from evaluation.data.formats.trec_qrels import read_qrels
from evaluation.data.formats.trec_run import read_run, write_run
from evaluation.data.formats.trec_topics import read_topics


def write(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


READERS = {
    "jsonl": lambda path: list(read_objects(path)),
    "corpus": lambda path: list(read_corpus(path)),
    "claims": read_claims,
    "qa": read_qa,
    "queries": read_queries,
    "qrels": read_qrels,
    "run": lambda path: list(read_run(path)),
    "topics": read_topics,
    "squad": read_squad,
}


@pytest.mark.parametrize(
    ("reader", "content", "problem"),
    [
        ("jsonl", '{"a": 1}\n{"a": \n', "line 2: this is not valid JSON"),
        ("jsonl", '"x"\n', "line 1: holds str"),
        ("jsonl", "[1]\n", "line 1: the array holds int"),
        ("jsonl", '[\n {"a": 1},\n\n {"a" 2}\n]', "line 4: the array's element"),
        ("jsonl", '[{"a": 1}\n {"a": 2}]', "line 1: no comma"),
        ("jsonl", '[{"a": 1},\n', "the array's element"),
        ("jsonl", b'{"a": 1}\n\xff\xfe\n', "not UTF-8"),
        ("corpus", '{"_id": "a", "title": "", "text": " "}', "line 1: document 'a' has neither"),
        ("corpus", '{"_id": "a", "text": "x"}\n{"_id": "a", "text": "y"}', "line 2: document 'a' stands twice"),
        ("corpus", '{"id": "a", "headline": "h"}', "line 1: body is missing"),
        ("corpus", "", "no documents"),
        ("claims", '{"claim": "c", "label": "perhaps"}', "line 1: the label is 'perhaps'"),
        ("claims", '{"claim": "c", "label": 1}', "line 1: the label is the number 1"),
        ("claims", '[{"claim": "a", "label": "true"},\n {"claim": "b", "label": "perhaps"}]', "line 2: the label"),
        ("claims", '{"label": "true"}', "line 1: claim is missing"),
        ("claims", '{"claim": "c", "label": "true", "date": "25-8-2020"}', "line 1: date is '25-8-2020', which is no"),
        ("claims", '{"claim": "c", "label": "true", "date": 2020}', "line 1: date is '2020', which is not a date"),
        ("claims", '{"claim": "c", "label": "true", "evidence": {"x": 1}}', "evidence must be a list"),
        ("claims", '{"claim": "c", "evidence": {"1": ["text"]}}', "line 1: label is missing"),
        ("claims", '{"id": "a", "claim": "c", "label": "true"}\n' * 2, "line 2: claim a stands twice"),
        ("qa", '{"answer": "x"}', "line 1: text is missing"),
        ("qa", '{"id": 1, "question": "q"}\n{"id": 1, "question": "q"}', "line 2: question 1 stands twice"),
        ("qa", '{"question": "q", "url": "https://[x/a"}', r"line 1: 'https://\[x/a' is not an address: Invalid IPv6"),
        ("queries", '{"id": "a", "kind": "riddle", "text": "t"}', "line 1: kind is 'riddle'"),
        ("claims", '{"claim": "a \\ud83d", "label": "true"}', "line 1: holds half a character"),
        ("claims", '[{"claim": "a", "label": "true"},\n{"claim": "\\udc00", "label": "true"}]', "line 2: holds half"),
        (
            "claims",
            '[{"claim": "a", "label": "true"}]\n\n[{"claim": "b", "label": "true"}]',
            "line 3: more stands after",
        ),
        ("claims", '[{"claim": "a", "label": "true"}] {}', "line 1: more stands after the array"),
        ("squad", '{"data": [], "x": "\\ud83d"}', "holds half a character"),
        ("qrels", "q1 0 d1 1\nq1 0 d1", None),
        ("qrels", "q1 0 d1 x", "line 1: the grade is 'x'"),
        ("qrels", "q1 0 d1 1\nq1 0 d1 2", "line 2: document d1 of query q1 has two grades"),
        ("qrels", "q1 d1", "line 1: 2 columns"),
        ("qrels", "", "no judgements"),
        ("run", "q1 Q0 d1 1 3.0", "line 1: 5 columns"),
        ("run", "q1 Q0 d1 1 x t", "line 1: the score is 'x'"),
        ("run", "q1 Q0 d1 1 nan t", "not a finite number"),
        ("run", "q1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t", "line 2: document d1 stands twice under query q1"),
        ("run", "q1 Q0 d1 1 2 t\nq2 Q0 d1 1 1 t\nq1 Q0 d1 2 1 t", "line 3: document d1 stands twice under query q1"),
        ("topics", "301 no tab", "line 1: no tab"),
        ("topics", "1\ta\n1\tb", "line 2: topic 1 stands twice"),
        ("topics", "301\tCrime\n302 Poliomyelitis and\tPost-Polio", "line 2: the id before the tab is '302 Polio"),
        ("topics", "\tCrime", "line 1: the id before the tab is '', not one word"),
        ("topics", "<top>\n<num> Number: 1\n</top>", "line 1: a topic without number or title"),
        ("topics", "<top><num>1<title>a</top>\n<top><num>2<title>b\n", "line 2: the end of this topic is missing"),
        ("topics", "<top><num>1<title>a\n<top><num>2<title>b</top>", "line 2: the end of this topic is missing, or of"),
        ("squad", '{"data": [\n{"x": 1}', "line 2, column"),
        ("squad", '{"data": [{"paragraphs": [{"context": "c", "qas": [{"id": "1"}]}]}]}', r"qas\[0\] has no"),
        ("squad", '{"version": "2"}', "no list 'data'"),
    ],
)
def test_malformed_files_are_refused_with_their_place(tmp_path, reader, content, problem):
    path = write(tmp_path, "file", content)
    if problem is None:
        problem = "line 2"
        content = None
    with pytest.raises(InputError, match=problem) as caught:
        READERS[reader](path)
    assert str(path) in caught.value.message


@pytest.mark.parametrize("reader", sorted(READERS))
def test_missing_files_are_named(tmp_path, reader):
    with pytest.raises(NotFoundError, match="nowhere"):
        READERS[reader](tmp_path / "nowhere")


def test_a_broken_gzip_file_is_refused(tmp_path):
    path = write(tmp_path, "x.jsonl.gz", gzip.compress(b'{"a": 1}\n' * 1000)[:-20])
    with pytest.raises(InputError, match="cannot be read"):
        list(read_objects(path))


@pytest.mark.parametrize("reader", ["jsonl", "squad"])
def test_a_gzip_file_with_broken_content_is_refused(tmp_path, reader):
    content = bytearray(gzip.compress(b'{"a": 1}\n' * 1000))
    content[10] = 0xFF  # the first block then has a type that does not exist
    with pytest.raises(InputError, match="cannot be read"):
        READERS[reader](write(tmp_path, "x.json.gz", bytes(content)))


@pytest.mark.parametrize("name", ["qa.csv", "QA.CSV"])
def test_qa_csv(tmp_path, name):
    path = write(
        tmp_path, name, 'Question,answer,url\n"How many, in all?",81|eighty-one,https://example.org/a\nWhy?,,\n'
    )
    first, second = read_qa(path)
    assert (first.question, first.answers) == ("How many, in all?", ("81", "eighty-one"))
    assert first.articles == ("https://example.org/a",)
    assert second.answers == ()


def test_blank_lines_of_a_csv_are_counted_and_kept_within_a_field(tmp_path):
    path = write(tmp_path, "qa.csv", '\nquestion,answer\n\n  \n"Who\n\nwon?",x\n')
    (row,) = read_qa(path)
    assert (row.id, row.question) == ("line-7", "Who\n\nwon?")
    with pytest.raises(InputError, match="line 4: 1 columns"):
        read_qa(write(tmp_path, "broken.csv", "question,answer\n\n\nonly\n"))


@pytest.mark.parametrize(
    ("content", "problem"),
    [("q;a\nx;y\n", "the header is"), ("question,answer\nonly\n", "1 columns"), ('question\n"open\n', "no CSV")],
)
def test_malformed_csv_is_refused(tmp_path, content, problem):
    with pytest.raises(InputError, match=problem):
        read_qa(write(tmp_path, "qa.csv", content))


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("SUPPORTS", Label.SUPPORTS),
        ("REFUTES", Label.REFUTES),
        ("NOT ENOUGH INFO", Label.NEITHER),
        ("SUPPORT", Label.SUPPORTS),
        ("CONTRADICT", Label.REFUTES),
        ("NOT_ENOUGH_INFO", Label.NEITHER),
        ("Supported", Label.SUPPORTS),
        ("Refuted", Label.REFUTES),
        ("Not Enough Evidence", Label.NEITHER),
        ("Conflicting Evidence/Cherrypicking", Label.CONFLICTING),
        ("DISPUTED", Label.CONFLICTING),
        ("pants-fire", Label.REFUTES),
        ("pants-on-fire", Label.REFUTES),
        ("barely-true", Label.REFUTES),
        ("mostly-true", Label.SUPPORTS),
        ("half-true", Label.SUPPORTS),
        ("not_enough_info", Label.NEITHER),
        ("neutral", Label.NEITHER),
    ],
)
def test_label_names_of_the_data_sets_are_known(name, label):
    assert map_label(name) is label


def test_no_label_name_stands_twice_in_the_table():
    names = [name for row in NAMES.values() for name in row]
    assert len(names) == len(set(names))


def test_run_files_keep_their_order_through_writing_and_reading(tmp_path):
    path = tmp_path / "run.txt"
    write_run(path, iter([("q1", ["b", "a", "c"]), ("q 2", ["x"])]), tag="t")
    read = dict(read_run(path))
    assert sorted(read["q1"], key=read["q1"].get, reverse=True) == ["b", "a", "c"]
    assert read["q_2"] == {"x": 1.0}


def test_scattered_run_files_give_the_same_as_grouped_ones(tmp_path):
    lines = [f"q{n % 7} Q0 d{n} 1 {n / 3} t\n" for n in range(100)]
    scattered = write(tmp_path, "scattered", "".join(lines))
    grouped = write(tmp_path, "grouped", "".join(sorted(lines)))
    assert dict(read_run(scattered)) == dict(read_run(grouped))


@pytest.mark.parametrize(
    ("line", "judgement"),
    [
        ("q1 0\td1\t2", {"q1": {"d1": 2}}),
        ("q1\t0\td1 2", {"q1": {"d1": 2}}),
        ("q1\tQ0 d1\t2", {"q1": {"d1": 2}}),
        ("q1 \t 0 \t d1 \t 2", {"q1": {"d1": 2}}),
        ("q1\td1 2", {"q1": {"d1": 2}}),
        ("q1\t0\ta story\t2", {"q1": {"a story": 2}}),
        ("q1\ta story\t2", {"q1": {"a story": 2}}),
        ("query-id\tcorpus-id\tscore\nq1\t0 d1\t2", {"q1": {"0 d1": 2}}),
        ("query-id corpus-id score\nq1 d1 2", {"q1": {"d1": 2}}),
    ],
)
def test_blanks_and_tabs_separate_the_columns_of_judgements(tmp_path, line, judgement):
    assert read_qrels(write(tmp_path, "qrels", line)) == judgement


def test_topics_in_all_spellings(tmp_path):
    classic = "<top>\n<num> Number: 301\n<title> Organized Crime\n<desc> x\n</top>\n"
    xml = '<topics><topic number="301"><query>Organized Crime</query></topic></topics>'
    for content in (classic, xml, "301\tOrganized Crime\n"):
        assert read_topics(write(tmp_path, "topics", content)) == {"301": "Organized Crime"}


def test_entities_in_tagged_topics_are_read(tmp_path):
    classic = "<top>\n<num> Number: A&amp;1\n<title> AT&amp;T&nbsp;&lt;b&gt; in Z&#252;rich\n</top>\n"
    xml = '<topic number="A&amp;1"><title>AT&amp;T &lt;b&gt; in Z&#252;rich</title></topic>'
    for content in (classic, xml):
        assert read_topics(write(tmp_path, "topics", content)) == {"A&1": "AT&T <b> in Zürich"}


def beir(folder):
    write(
        folder, "corpus.jsonl", '{"_id": "d1", "title": "T", "text": "red apples"}\n{"_id": "d2", "text": "blue sky"}\n'
    )
    write(folder, "queries.jsonl", '{"_id": "q1", "text": "apples"}\n{"_id": "q9", "text": "unjudged"}\n')
    write(folder, "qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq7\td1\t1\n")
    return folder


def test_beir(tmp_path):
    data = read_retrieval_data(beir(tmp_path))
    assert (data.format, data.queries) == ("BEIR", {"q1": "apples"})
    assert "1 judged queries have no text" in data.notes[0]
    with pytest.raises(NotFoundError) as caught:
        read_retrieval_data(tmp_path, split="dev")
    assert "test" in caught.value.hint


def test_beir_in_gzip(tmp_path):
    plain = read_retrieval_data(beir(tmp_path))
    for name in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv"):
        packed = tmp_path / f"{name}.gz"
        packed.write_bytes(gzip.compress((tmp_path / name).read_bytes()))
        (tmp_path / name).unlink()
    data = read_retrieval_data(tmp_path)
    assert (data.queries, data.judgements) == (plain.queries, plain.judgements)
    with pytest.raises(NotFoundError) as caught:
        read_retrieval_data(tmp_path, split="dev")
    assert caught.value.hint == "Splits that are there: test."


def test_unknown_layouts_say_what_is_known(tmp_path):
    with pytest.raises(InputError, match="no known format") as caught:
        read_retrieval_data(tmp_path)
    assert "BEIR" in caught.value.hint


def test_trec_folder_with_topics_and_corpus(tmp_path):
    write(tmp_path, "topics.txt", "1\tapples\n")
    write(tmp_path, "qrels.txt", "1 0 d1 2\n")
    write(tmp_path, "corpus.jsonl", json.dumps({"_id": "d1", "text": "apples"}))
    data = read_retrieval_data(tmp_path)
    assert (data.format, data.judgements) == ("TREC", {"1": {"d1": 2}})


@pytest.mark.parametrize("name", ["queries.yaml", "."])
def test_a_split_of_data_without_splits_is_refused(tmp_path, name):
    write(tmp_path, "qrels.txt", "1 0 d1 2\n")
    write(tmp_path, "queries.yaml", "- {id: q, text: t, relevant: apples}")
    with pytest.raises(InputError, match="has no splits, and 'dev' is named"):
        read_retrieval_data(tmp_path / name, split="dev")


def test_a_file_in_place_of_a_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="is not a folder, JSON lines or a YAML file"):
        read_retrieval_data(write(tmp_path, "queries.txt", '{"_id": "q", "text": "t"}'))


def test_qrels_and_topics_whose_names_hold_run_are_no_run_files(tmp_path):
    write(tmp_path, "topics.truncated.txt", "1\tapples\n")
    write(tmp_path, "qrels.pruned.txt", "1 0 d1 2\n")
    write(tmp_path, "corpus.jsonl", json.dumps({"_id": "d1", "text": "apples"}))
    assert read_retrieval_data(tmp_path).runs == ()
    run = write(tmp_path, "run.bm25", "1 Q0 d1 1 1.0 t\n")
    assert read_retrieval_data(tmp_path).runs == (run,)


def test_pairs_and_evidence_of_claims(tmp_path):
    rows = [
        {"claim": "c1", "label": "true", "evidence": "one", "pair": 4},
        {"text": "c2", "label": "false", "evidence": ["a", "b"]},
        {"text": "q", "kind": "question"},
    ]
    first, second = read_claims(write(tmp_path, "c.jsonl", "\n".join(json.dumps(row) for row in rows)))
    assert (first.id, first.pair, first.evidence) == ("line-1", "4", ("one",))
    assert second.evidence == ("a", "b")


def test_the_bundled_checklist_is_sound():
    claims = read_claims(DATASETS / "checklist" / "claims.jsonl")
    articles = {article.id for article in read_corpus(DATASETS / "checklist" / "articles.jsonl")}
    assert {(claim.split, claim.label) for claim in claims} == {
        (split, label) for split in ("dev", "test") for label in (Label.SUPPORTS, Label.REFUTES, Label.NEITHER)
    }
    assert all(claim.phenomenon for claim in claims)
    assert {claim.id.rsplit("-", 1)[0] for claim in claims} == articles
    by_article = {(claim.id.rsplit("-", 1)[0], claim.split) for claim in claims}
    assert len(by_article) == len(articles)  # no article is in both halves


def test_the_retold_statements_are_sound():
    claims = read_claims(SAMPLE / "retold.jsonl")
    bodies = {article.id: article.body for article in read_corpus(SAMPLE / "articles.jsonl.gz")}
    rows = [json.loads(line) for line in (SAMPLE / "retold.jsonl").read_text(encoding="utf-8").splitlines()]
    assert Counter(claim.label for claim in claims) == {Label.SUPPORTS: 200, Label.REFUTES: 200, Label.NEITHER: 100}
    for row in rows:
        assert row.get("quote", "") in bodies[row["article_ids"][0]]
        assert ("quote" in row) == (row["label"] != "not_enough_info")
    sides = {(row["article_ids"][0], row["split"]) for row in rows}
    assert len(sides) == len({article for article, _ in sides}) == 200  # no article is in both halves


def test_rows_as_the_data_sets_write_them(tmp_path):
    rows = [
        {"id": 1, "verifiable": "VERIFIABLE", "label": "SUPPORTS", "claim": "c", "evidence": [[[1, 2, "Page", 0]]]},
        {"claim_id": "0", "claim": "c", "claim_label": "DISPUTED", "evidences": [{"evidence": "e", "article": "A"}]},
        {"statement": "c", "label": "pants-fire"},
    ]
    fever, climate, liar = read_claims(write(tmp_path, "c.jsonl", "\n".join(json.dumps(row) for row in rows)))
    assert (fever.label, fever.evidence) == (Label.SUPPORTS, ())
    assert (climate.label, climate.evidence) == (Label.CONFLICTING, ("e",))
    assert liar.label is Label.REFUTES


def test_escaped_characters_in_two_halves_are_whole(tmp_path):
    assert list(read_objects(write(tmp_path, "x.jsonl", '{"a": "\\ud83d\\ude00"}'))) == [(1, {"a": "\U0001f600"})]


def test_a_json_array_is_read_as_lines_are(tmp_path):
    rows = [{"claim": "a"}, {"claim": "b", "x": [1, {"y": "]"}]}]
    for indent in (None, 2):
        assert [row for _, row in read_objects(write(tmp_path, "a.json", json.dumps(rows, indent=indent)))] == rows
    assert list(read_objects(write(tmp_path, "b.json", "[]"))) == []


def test_rows_of_one_line_without_ids_are_told_apart(tmp_path):
    rows = [{"claim": f"c{number}", "question": "q", "label": "true"} for number in range(3)]
    file = write(tmp_path, "a.json", json.dumps(rows) + "\n")
    names = ["line-1", "line-1-2", "line-1-3"]
    assert [claim.id for claim in read_claims(file)] == [row.id for row in read_qa(file)] == names


def test_claims_as_scifact_and_averitec_write_them(tmp_path):
    scifact = [
        {"id": 1, "claim": "c", "evidence": {"4983": [{"sentences": [1], "label": "CONTRADICT"}]}},
        {"id": 2, "claim": "d", "evidence": {}},
    ]
    found = read_claims(write(tmp_path, "s.jsonl", "\n".join(map(json.dumps, scifact))))
    assert [(one.label, one.evidence) for one in found] == [(Label.REFUTES, ()), (Label.NEITHER, ())]
    question = {"question": "When did it burn?", "answers": [{"answer": "On 3 May.", "answer_type": "Extractive"}]}
    averitec = [{"claim": "c", "label": "Supported", "questions": [question]}]
    found = read_claims(write(tmp_path, "a.json", json.dumps(averitec)))
    assert found[0].evidence == ("When did it burn? On 3 May.",)


def test_scifacts_corpus(tmp_path):
    row = {"doc_id": 4983, "title": "Vaccine", "abstract": ["It works.", "It is cheap."], "structured": False}
    found = list(read_corpus(write(tmp_path, "corpus.jsonl", json.dumps(row))))
    assert (found[0].id, found[0].headline, found[0].body) == ("4983", "Vaccine", "It works. It is cheap.")


def test_judged_queries_that_can_only_score_zero_are_told(tmp_path):
    data = beir(tmp_path)
    with (data / "qrels/test.tsv").open("a") as handle:
        handle.write("q2\td1\t0\n")
    with (data / "queries.jsonl").open("a") as handle:
        handle.write(json.dumps({"_id": "q2", "text": "t"}) + "\n")
    assert any("can only score 0: q2" in note for note in read_retrieval_data(data).notes)
