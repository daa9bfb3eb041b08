import gzip
import json

import pytest

from models.hashes import file_hash
from training.data import packs
from training.data.examples import NEITHER, NOT_SUPPORTS, REFUTES, SUPPORTS
from training.data.sources.swaps import swap_groups

pytest.importorskip("lemminflect")

from training.data.clauses import parse_clause
from training.data.lexicon import main as make_table
from training.data.sources.contexts import context_groups
from training.data.sources.sentences import sentence_groups

TOLD = [
    {
        "passage": "The council in Avon approved the new bridge on Monday. It will cost 40 million pounds.",
        "mirror": "The council in Avon threw out the new bridge on Monday. It would have cost 40 million pounds.",
        "statements": [
            {"text": "The council approved a bridge.", "label": "supports", "mirror_label": "refutes"},
            {"text": "A bridge for 40 million is coming to Avon.", "label": "supports", "mirror_label": "refutes"},
            {"text": "Mayor Marsh wept.", "label": "neutral", "mirror_label": "neutral"},
        ],
        "split": "train",
        "source": "squad: Bridge",
    },
    {
        "passage": "Marsh beat Rivers in the final round of the vote in Bath.",
        "statements": [{"text": "In Bath, Marsh beat Rivers.", "label": "supports"}],
        "split": "train",
        "source": "squad: Vote",
    },
    {
        "passage": "Held out.",
        "statements": [{"text": "It was held out.", "label": "supports"}],
        "split": "dev",
        "source": "x: y",
    },
]


@pytest.fixture
def told(data):
    file = data / "tiny_told.jsonl.gz"
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in TOLD)
    packs.known_packs()["tiny_told"] = packs.Pack(file=file.name, sha256=file_hash(file), licence="CC0", origin="told")
    return data


@pytest.mark.parametrize(
    ("statement", "template", "expected"),
    [
        ("The council approved a bridge.", "{subject} refused to {base}", "The council refused to approve a bridge."),
        (
            "Acme Ltd bought Baltair in May.",
            "It is false that {subject} {past}",
            "It is false that Acme Ltd bought Baltair in May.",
        ),
        (
            "The mine was closed in 1990.",
            "Nobody kept {subject} from {gerund}",
            "Nobody kept the mine from being closed in 1990.",
        ),
        ("The mine was closed in 1990.", "{subject} did not {base}", "The mine was not closed in 1990."),
        ("Marsh took the vote.", "{subject} has {participle}", "Marsh has taken the vote."),
    ],
)
def test_a_plain_statement_is_set_in_another_clause(statement, template, expected):
    clause = parse_clause(statement)
    assert clause is not None
    assert clause.put_into(template) == expected


@pytest.mark.parametrize(
    "statement",
    [
        "Marsh said the bridge would open.",  # what is said is not what was
        "The man who sold the mine left.",
        "The mayor could open the bridge.",
        "In May, Marsh opened the bridge.",
        "Marsh opened.",
        "Bridges are long.",
        "",
    ],
)
def test_statements_that_cannot_be_taken_apart_safely_are_left(statement):
    assert parse_clause(statement) is None


def test_a_statement_stands_under_true_false_and_open_clauses(told):
    groups = context_groups(told, ["tiny_told"])
    relations = [[one.relation for one in group.examples] for group in groups]
    assert relations == [[SUPPORTS, REFUTES], [NEITHER], [REFUTES, SUPPORTS]]
    assert all("council" in one.passage.lower() for group in groups for one in group.examples)
    denial = groups[2].examples
    assert denial[0].query == denial[1].query != "The council approved a bridge."
    assert (denial[0].passage, denial[1].passage) == (TOLD[0]["passage"], TOLD[0]["mirror"])


def test_held_out_parts_are_not_read(told):
    assert not any("held out" in one.query for group in context_groups(told, ["tiny_told"]) for one in group.examples)
    assert not any("held out" in one.query for group in swap_groups(told, ["tiny_told"]) for one in group.examples)


def test_an_exchange_in_one_text_turns_the_label_and_in_both_does_not(told):
    groups = swap_groups(told, ["tiny_told"])
    assert groups
    for group in groups:
        first, second = group.examples
        assert first.query == second.query
        assert first.passage != second.passage
        assert SUPPORTS in {first.relation, second.relation}
        assert {first.relation, second.relation} & {REFUTES, NOT_SUPPORTS}


def test_numbers_antonyms_and_names_are_exchanged(told, monkeypatch):
    opposites = {"approved": frozenset({"rejected"}), "rejected": frozenset({"approved"})}
    monkeypatch.setattr("training.data.sources.swaps.antonyms", lambda: opposites)
    made = [(one.query, one.passage) for group in swap_groups(told, ["tiny_told"]) for one in group.examples]
    passage = TOLD[0]["passage"]
    assert ("The council rejected a bridge.", passage) in made
    assert ("The council approved a bridge.", passage.replace("approved", "rejected")) in made
    assert any(query.startswith("A bridge for") and "40" not in query and text == passage for query, text in made)
    assert any(text != TOLD[1]["passage"] for query, text in made if query == "In Bath, Marsh beat Rivers.")


def test_the_same_draw_every_time(told):
    assert swap_groups(told, ["tiny_told"]) == swap_groups(told, ["tiny_told"])
    assert context_groups(told, ["tiny_told"]) == context_groups(told, ["tiny_told"])


def test_the_table_of_antonyms_is_made_from_wordnets_files(tmp_path, monkeypatch):
    monkeypatch.setattr("training.data.lexicon.TABLE", tmp_path / "table.txt")
    for part in ("noun", "adj", "adv"):
        (tmp_path / f"data.{part}").write_text("  1 licence\n")
    (tmp_path / "data.verb").write_text(
        "  1 licence\n"
        "00000010 41 v 02 convict 0 condemn 0 001 ! 00000020 v 0101 01 + 08 00 | find guilty\n"
        "00000020 41 v 01 acquit 0 001 ! 00000010 v 0101 01 + 08 00 | find not guilty\n"
    )
    (tmp_path / "index.sense").write_text(
        "convict%2:41:00:: 00000010 1 3\ncondemn%2:41:00:: 00000010 4 3\nacquit%2:41:00:: 00000020 1 2\n"
    )
    assert make_table(tmp_path) == 4
    assert (tmp_path / "table.txt").read_text().splitlines() == [
        "acquit\tconvict",
        "acquits\tconvicts",
        "acquitted\tconvicted",
        "acquitting\tconvicting",
    ]


def test_sentences_stand_before_their_own_passage_and_the_other(told):
    groups = sentence_groups(told, ["tiny_told"])
    shown = {tuple((one.query, one.passage, one.relation) for one in group.examples) for group in groups}
    passage, mirror = TOLD[0]["passage"], TOLD[0]["mirror"]
    own = "The council in Avon approved the new bridge on Monday."
    assert len(groups) == 4
    assert ((own, passage, SUPPORTS), (own, mirror, NOT_SUPPORTS)) in shown
    other = "It would have cost 40 million pounds."
    assert ((other, mirror, SUPPORTS), (other, passage, NOT_SUPPORTS)) in shown


def test_a_sentence_that_both_passages_have_is_left_out(data):
    file = data / "tiny_same.jsonl.gz"
    mirror = "The council in Avon approved the new bridge on Monday. It was a gift, Mayor Marsh said."
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.write(json.dumps(TOLD[0] | {"mirror": mirror}) + "\n")
    packs.known_packs()["tiny_same"] = packs.Pack(file=file.name, sha256=file_hash(file), licence="CC0", origin="told")
    told = {group.examples[0].query for group in sentence_groups(data, ["tiny_same"])}
    assert told == {"It will cost 40 million pounds.", "It was a gift, Mayor Marsh said."}
