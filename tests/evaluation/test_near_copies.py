"""The near copies, and the benchmark that reads them."""

from collections import Counter

import pytest

from core.errors import ConfigError
from core.types import Verdict
from evaluation.benchmarks.near_copies.benchmark import (
    ConflictFloors,
    broken_floors,
    read_conflict_floors,
    write_conflict_floors,
)
from evaluation.benchmarks.near_copies.finders import ALL, measure_finders, objecting, sentence_evidence
from evaluation.benchmarks.near_copies.generate import make_pairs
from evaluation.benchmarks.near_copies.inflection import past
from evaluation.benchmarks.near_copies.read import (
    FarStatement,
    NearCopy,
    read_near_copies,
    read_sources,
    read_written_copies,
)
from evaluation.benchmarks.near_copies.source import Source, is_fit
from tests.sample_articles import make_article

KINDS = [
    "attribution",
    "date",
    "direction",
    "modality",
    "name",
    "namesake",
    "negation",
    "number",
    "opposite",
    "ordinal",
    "place",
    "quantifier",
    "result",
    "role",
    "stage",
    "unit",
]


def source(body: str, **fields: object) -> Source:
    return Source(article_id="a", headline="Bridge opens", body=body, year=2019, **fields)  # type: ignore[arg-type]


def pairs(body: str, **fields: object) -> dict[str, dict[str, str]]:
    return {row["kind"]: row for row in make_pairs([source(body, **fields)])}


def test_there_are_two_thousand_of_every_kind_true_and_false():
    copies = read_near_copies()
    assert len(copies) >= 2000
    assert {copy.kind for copy in copies} == set(KINDS)
    assert Counter(copy.truth == "true" for copy in copies)[True] == len(copies) / 2


def test_each_copy_names_a_sentence_of_its_article():
    articles = read_sources()
    for copy in read_near_copies():
        sentence = articles[copy.article_id].body[copy.start : copy.end]
        assert is_fit(sentence), copy.id
        if copy.truth != "true":
            assert copy.statement not in articles[copy.article_id].body, copy.id


def test_each_written_pair_is_about_a_sentence_of_its_own_article():
    copies, articles = read_written_copies(), read_sources()
    assert Counter(copy.kind for copy in copies) == {"debunking": 32, "quotation": 32}
    for copy in copies:
        body = articles[copy.article_id].body
        assert body[copy.start : copy.end].endswith((".", "”"))
        assert copy.truth == "true" or copy.statement not in body


def test_a_front_part_has_all_kinds():
    assert {copy.kind for copy in read_near_copies()[:64]} == set(KINDS)


def test_a_number_is_changed_and_nothing_else():
    row = pairs("The new bridge over the river Aln has 48 arches and is open to traffic.")["number"]
    true, false = row["true"].split(), row["false"].split()
    assert [a for a, b in zip(true, false, strict=True) if a != b] in (["48"], ["forty-eight"])


def test_a_number_that_stands_elsewhere_is_not_put_in():
    body = "The new bridge over the river Aln has 48 arches and is open to traffic."
    others = " ".join(str(number) for number in range(200))
    assert "number" not in pairs(f"{body} It has {others}.")


def test_parties_change_places_and_the_true_one_keeps_them():
    row = pairs("Marlowe Shipping sued Harbour Insurance in the county court after the storm.")["role"]
    assert {row["true"], row["false"]} >= {row["true"]}
    doer = {"Marlowe Shipping sued Harbour Insurance", "Harbour Insurance was sued by Marlowe Shipping"}
    assert any(row["true"].startswith(one) for one in doer)
    assert not any(row["false"].startswith(one) for one in doer)


def test_what_may_happen_is_open_when_stated_as_done():
    row = pairs("The ferry company hopes to open a second line to the island next spring.")["modality"]
    assert row["label"] == "open"
    assert "opened a second line" in row["false"]


def test_the_same_seed_makes_the_same_pairs():
    sources = [source("The council of Arne approved 45 houses on Monday after a long debate in the town hall.")]
    assert make_pairs(sources) == make_pairs(sources)


@pytest.mark.parametrize(("verb", "done"), [("stop", "stopped"), ("carry", "carried"), ("go", "went"), ("the", "")])
def test_verbs_are_put_into_the_past(verb, done):
    assert past(verb) == done


def test_each_finder_is_asked_by_itself():
    article = make_article("x", body="The council did not approve the plan on Monday.")
    item = sentence_evidence(article, 0, len(article.body))
    assert objecting(None, "The council approved the plan on Monday.", item) == {"negation"}


def test_hits_and_false_alarms_are_counted_by_truth():
    article = make_article("x", body="The council did not approve the plan on Monday.")
    near = [
        NearCopy(
            id=truth, pair="p", kind="negation", statement=text, truth=truth, article_id="a", start=0,
            end=len(article.body),
        )
        for truth, text in (
            ("true", "The council did not approve the plan."),
            ("false", "The council approved the plan on Monday."),
        )
    ]  # fmt: skip
    far = [FarStatement(statement="The plan was approved.", sentence="The plan was not approved.", truth="false")]
    figures, kinds = measure_finders(None, near, far, asked=0, articles={"a": article}, progress=lambda _: None)
    assert figures["negation"].near == {"false": 1}
    assert figures["negation"].far == {"false": 1}
    assert kinds["negation"] == {"true": 0, "false": 1}
    assert set(figures) == set(ALL)


def floors(**changes: object) -> ConflictFloors:
    base = {
        "data_sha256": "x", "verdicts": 10, "counts": {"verdict_true": 5},
        "at_least": {"negation near hits": 4}, "at_most": {"verdict true refuted": 0},
    }  # fmt: skip
    return ConflictFloors.model_validate(base | changes)


def test_a_hit_lost_and_a_wrong_verdict_won_are_told():
    assert broken_floors(floors(), floors(at_least={"negation near hits": 3})) == ["negation near hits: 3 is below 4"]
    assert broken_floors(floors(), floors(at_most={"verdict true refuted": 1})) == [
        "verdict true refuted: 1 is above 0"
    ]
    assert broken_floors(floors(), floors(verdicts=4, at_most={"verdict true refuted": 1})) == []


def test_other_data_is_no_floor():
    assert "changed" in broken_floors(floors(), floors(data_sha256="y"))[0]


def test_a_floor_falls_only_when_asked(tmp_path):
    path = tmp_path / "floors.json"
    write_conflict_floors(floors(), lower=False, path=path)
    with pytest.raises(ConfigError):
        write_conflict_floors(floors(at_least={"negation near hits": 3}), lower=False, path=path)
    write_conflict_floors(floors(at_least={"negation near hits": 3}), lower=True, path=path)
    assert read_conflict_floors(path).at_least == {"negation near hits": 3}


def test_the_committed_floors_are_of_the_committed_copies():
    pinned = read_conflict_floors()
    copies = read_near_copies() + read_written_copies()
    assert pinned.counts["near_true"] + pinned.counts["near_false"] + pinned.counts["near_open"] == len(copies)
    assert {name.split()[0] for name in pinned.at_least} == {*ALL, "verdict"}
    assert Verdict.VERIFIED.value == "verified"
