import pytest

from core.errors import InputError
from core.paths import SAMPLE
from evaluation.data.formats.corpus import CorpusArticle, read_corpus
from evaluation.data.formats.keyword_logic import judge, read_logic
from evaluation.measures.expressions.document import searchable
from evaluation.measures.expressions.parse import parse_expression

ARTICLE = CorpusArticle(
    id="a1",
    url="https://example.org/a1",
    headline="Samoan government ends emergency",
    body="The COVID-19 measles toll was 81. Wanda Vázquez spoke; protesters marched. Queen\u2019s speech.",
    published_at="2019-08-14",
    section="health",
)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("measles", True),
        ("MEASLES AND toll", True),
        ("measles and toll", None),  # lower-case "and" is a word without an operator before it
        ("Samoa", False),
        ("Samoa*", True),
        ('"measles toll"', True),
        ('"toll measles"', False),
        ('"emergency The"', False),  # never across fields
        ("COVID-19", True),
        ("COVID-20", False),
        ("VÁZQUEZ", True),
        ("Vazquez", False),
        ("8", False),
        ("81", True),
        ("NOT measles", False),
        ("NOT NOT measles", True),
        ("absent OR measles AND toll", True),
        ("(absent OR measles) AND absent", False),
        ("measles OR absent AND absent", True),  # AND binds tighter
        ("headline:measles", False),
        ("body:measles", True),
        ("headline:(ends OR absent)", True),
        ('headline:"government ends"', True),
        ("section:health", True),
        ("published:2019-08..2019-09", True),
        ("published:2019-09..2019-10", False),
        ("published:2019-08-14..2019-08-14", True),
        ("published:2019*", True),
        ("published:2018", False),
        ("published:201*", True),
        ("published:2019-08-1*", True),
        ("published:2019-08-14", True),
        ("published:2019-08..2019", True),
        ('"protesters march*"', True),
        ("Queen's", True),
        ("id:a1", True),
    ],
)
def test_expression(expression, expected):
    if expected is None:
        with pytest.raises(InputError, match="AND or OR is missing"):
            parse_expression(expression)
    else:
        assert parse_expression(expression).matches(searchable(ARTICLE)) is expected


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("", "ends"),
        ("(a OR b", "not closed"),
        ("a)", "without an opening"),
        ('"a b', "quotation mark"),
        ("a AND", "ends"),
        ("OR a", "'OR' stands"),
        ("colour:red", "is not a field"),
        ("--", "holds no word"),
        ("flood AND NOT published:2019..", "character 25: '2019..' is neither a date nor a range"),
        ("published:2019-8", "'2019-8' is neither a date"),
        ("published:2020..2019-12", "is neither a date nor a range"),
        ("published:yesterday", "'yesterday' is neither a date"),
        ("(" * 80 + "a" + ")" * 80, "nested"),
    ],
)
def test_mistakes_are_named_with_their_place(expression, problem):
    with pytest.raises(InputError, match=problem) as caught:
        parse_expression(expression)
    assert "character" in caught.value.message


def test_the_samples_expressions_yield_exactly_the_articles_they_name():
    logic = read_logic(SAMPLE / "qrels_logic.yaml")
    judged = judge(logic.queries, read_corpus(SAMPLE / "articles.jsonl.gz"))
    assert judged.warnings == ()
    assert (len(logic.queries), judged.articles) == (12, 429)
    assert sum(2 in grades.values() for grades in judged.judgements.values()) == 12


def test_queries_that_get_nothing_or_everything_are_warned_of(tmp_path):
    file = tmp_path / "logic.yaml"
    file.write_text(
        "- {id: none, text: t, relevant: absent}\n- {id: all, text: t, relevant: 'NOT absent'}\n"
        "- {id: other, text: t, grades: {1: measles, 3: toll}, grade_3: [a2]}\n"
    )
    judged = judge(read_logic(file).queries, [ARTICLE])
    assert judged.judgements == {"all": {"a1": 1}, "other": {"a1": 3}}
    text = " ".join(judged.warnings)
    assert "query none: no article" in text
    assert "query all: all 1 articles" in text
    assert "lacks a2 and adds a1" in text


@pytest.mark.parametrize(
    ("given", "ids"), [("d12", ("d12",)), ("[d12, 1, 2020-01-01]", ("d12", "1", "2020-01-01")), ("", ()), ("[]", ())]
)
def test_one_expected_id_stands_for_a_list_of_one(tmp_path, given, ids):
    file = tmp_path / "logic.yaml"
    file.write_text(f"- id: a\n  text: t\n  relevant: x\n  grade_1: {given}\n")
    assert read_logic(file).queries[0].expected == {1: ids}


def test_a_query_may_be_numbered_from_zero(tmp_path):
    file = tmp_path / "logic.yaml"
    file.write_text("- {id: 0, text: t, relevant: x}\n- {question: 1, text: t, relevant: x}\n")
    assert [query.id for query in read_logic(file).queries] == ["0", "1"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[}", "not valid YAML"),
        ("{}", "no list of queries"),
        ("- 3", "line 1, query 1: not a mapping"),
        ("- {id: a}", "needs an id"),
        ("- {id: yes, text: t, relevant: x}", "needs an id"),
        ("- {id: a, text: t}", "no expression"),
        ("- {id: a, text: t, relevnt: x}", "relevnt is not a known key"),
        (
            "queries:\n- {id: b, text: t, relevant: x}\n- id: a\n  text: t\n  relevant: '(x'",
            "line 3, query 2 .*closed",
        ),
        ("- {id: a, text: t, grades: {0: x}}", "grade is 0"),
        ("- {id: a, text: t, grades: [x]}", r"line 1, query 1 \(a\): grades is not a mapping"),
        ("- {id: a, text: t, grades: x}", r"line 1, query 1 \(a\): grades is not a mapping"),
        ("- {id: a, text: t, relevant: x}\n- {id: a, text: t, relevant: x}", "stands twice"),
        ("- {id: a, text: t, relevant: x, grade_1: 5}", r"line 1, query 1 \(a\): grade_1 is not a list of ids"),
        ("- {id: a, text: t, relevant: x, grade_1: {d1: 1}}", "grade_1 is not a list of ids"),
        ("- {id: a, text: t, relevant: x, grade_1: [[d1]]}", "grade_1 is not a list of ids"),
        ("- {id: a, text: t, relevant: x, grade_1: [no]}", "grade_1 is not a list of ids"),
    ],
)
def test_malformed_query_lists_are_refused(tmp_path, content, problem):
    file = tmp_path / "logic.yaml"
    file.write_text(content)
    with pytest.raises(InputError, match=problem):
        read_logic(file)
