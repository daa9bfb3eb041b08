"""The index of fact-checks, and what is found in it."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import StoreError, StoreVersionError
from indexing.factchecks.matcher import SURE_FROM, FactCheckMatcher, query_words
from indexing.factchecks.reading import read_fact_checks
from indexing.factchecks.store import FactCheckStore
from indexing.factchecks.types import FactCheck
from models.embedder import OnnxEmbedder

CLAIMS = {
    "bridge": ("A bridge over the river in Oslo collapsed and killed ten people.", "Did a bridge in Oslo collapse?"),
    "vaccine": ("The measles vaccine causes autism in children.", "Measles vaccine and autism: no link"),
    "shark": ("A photograph shows a shark swimming on a flooded highway in Houston.", "Shark on a Houston highway"),
    "mayor": ("The mayor of Springfield was arrested for stealing library books.", ""),
    "moon": ("NASA admitted that the moon landing was filmed in a studio.", "NASA and the moon landing studio"),
}


def fact_check(name: str, **changes: object) -> FactCheck:
    claim, title = CLAIMS[name]
    return FactCheck.model_validate(
        {"id": name, "claim": claim, "title": title, "url": f"https://checks.example/{name}"} | changes
    )


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(threads=1)


@pytest.fixture
def store(tmp_path: Path) -> FactCheckStore:
    made = FactCheckStore(tmp_path)
    made.add(fact_check(name) for name in CLAIMS)
    return made


def test_an_import_is_idempotent_and_says_what_it_did(store: FactCheckStore) -> None:
    again = store.add(fact_check(name) for name in CLAIMS)
    assert (again.taken, again.changed, again.unchanged, again.total) == (0, 0, 5, 5)
    changed = store.add([fact_check("moon", verdict="False")])
    assert (changed.taken, changed.changed, changed.total) == (0, 1, 5)


def test_a_page_that_is_read_again_brings_all_its_claims(tmp_path: Path) -> None:
    store = FactCheckStore(tmp_path)

    def page(*claims: str) -> bytes:
        one = {"@type": "ClaimReview", "url": "https://checks.example/p"}
        return json.dumps([one | {"claimReviewed": claim} for claim in claims]).encode()

    store.add(read_fact_checks(page("It rains.", "It snows."), name="p"))
    reworded = store.add(read_fact_checks(page("It rains.", "It snows in May."), name="p"))
    assert (reworded.taken, reworded.changed, reworded.unchanged, reworded.removed, reworded.total) == (0, 1, 1, 0, 2)
    fewer = store.add(read_fact_checks(page("It rains."), name="p"))
    assert (fewer.removed, fewer.total) == (1, 1)


def test_an_import_that_fails_changes_nothing(store: FactCheckStore) -> None:
    def broken() -> object:
        yield fact_check("moon", verdict="False")
        raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError):
        store.add(broken())  # type: ignore[arg-type]
    assert store.add([fact_check("moon")]).unchanged == 1


@pytest.mark.parametrize(
    ("post", "name"),
    [
        ("RT @x: OMG a shark swimming down the #Houston freeway 😱 https://t.co/a", "shark"),
        ("They finally ADMIT the #MoonLanding was shot in a film studio — Joe (@joe) May 4, 2019", "moon"),
        ("vaccination against measles makes kids autistic, wake up people", "vaccine"),
        ("ten dead as Oslo bridge falls into the river", "bridge"),
    ],
)
def test_a_retold_claim_is_found(store: FactCheckStore, embedder: OnnxEmbedder, post: str, name: str) -> None:
    matcher = FactCheckMatcher(store, embedder)
    matcher.embed_new()
    found = matcher.match(post)
    assert found[0].id == name
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_only_what_is_surely_the_same_is_sure(store: FactCheckStore, embedder: OnnxEmbedder) -> None:
    matcher = FactCheckMatcher(store, embedder)
    matcher.embed_new()
    assert matcher.match("A bridge in Oslo collapsed and ten people were killed.")[0].score >= SURE_FROM
    for other in (
        "The mayor of Springfield opened a new library.",
        "NASA launched a telescope.",
        "Norway's prime minister visited Oslo.",
        "Stocks fell on Monday.",
    ):
        assert matcher.match(other)[0].score < SURE_FROM, other


def test_two_publishers_who_checked_one_claim_are_both_sure(store: FactCheckStore, embedder: OnnxEmbedder) -> None:
    twin = fact_check("shark", id="twin", claim="Photo of a shark on a flooded Houston highway.", title="")
    store.add([twin])
    matcher = FactCheckMatcher(store, embedder)
    matcher.embed_new()
    found = matcher.match("This photo shows a shark on a flooded highway in Houston.", top_k=2)
    assert {one.id for one in found} == {"shark", "twin"}
    assert found[1].score >= SURE_FROM


def test_without_an_embedder_words_find(store: FactCheckStore) -> None:
    found = FactCheckMatcher(store, None).match("moon landing filmed in a studio, NASA admitted")
    assert found[0].id == "moon"


def test_nothing_imported_matches_nothing(tmp_path: Path) -> None:
    matcher = FactCheckMatcher(FactCheckStore(tmp_path), None)
    assert matcher.match("anything") == ()
    assert not (tmp_path / "factchecks").exists()


def test_a_change_is_seen_by_who_has_the_index_open(store: FactCheckStore, embedder: OnnxEmbedder) -> None:
    matcher = FactCheckMatcher(store, embedder)
    matcher.embed_new()
    assert matcher.match("The lake in Geneva turned pink.")[0].score < SURE_FROM
    lake = FactCheck(id="lake", claim="Lake Geneva turned pink overnight.", check_id="c1")
    FactCheckStore(store.path.parent.parent).add([lake])
    FactCheckMatcher(store, embedder).embed_new()
    assert matcher.match("The lake in Geneva turned pink.")[0].id == "lake"
    assert store.remove_check("c1")
    assert all(one.id != "lake" for one in matcher.match("The lake in Geneva turned pink."))


class Stopping:
    """An embedder that is stopped in its second piece."""

    identity, dimension, calls = "stopping@1", 4, 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls += 1
        if self.calls == 2:
            raise KeyboardInterrupt
        return np.full((len(texts), 4), 0.5, dtype=np.float32)


def test_vectors_that_were_made_are_kept_when_the_work_is_stopped(tmp_path: Path) -> None:
    store, stopping = FactCheckStore(tmp_path), Stopping()
    store.add(FactCheck(id=str(number), claim=f"Claim number {number}") for number in range(300))
    matcher = FactCheckMatcher(store, stopping)
    with pytest.raises(KeyboardInterrupt):
        matcher.embed_new()
    assert len(store.texts_without_vector("stopping@1")) == 300 - 256
    assert matcher.embed_new() == 300 - 256
    assert matcher.embed_new() == 0


def test_order_does_not_depend_on_company(store: FactCheckStore, embedder: OnnxEmbedder) -> None:
    matcher = FactCheckMatcher(store, embedder)
    matcher.embed_new()
    posts = ["shark in Houston", "the moon landing", "😡", ""]
    together = matcher.match_many(posts)
    assert [one.matches for one in together] == [matcher.match(post) for post in posts]


def test_words_that_all_are_common_are_searched_all_the_same() -> None:
    assert query_words("To be or not to be") == ["to", "be", "or", "not"]
    assert query_words("The shark in the sea") == ["shark", "sea"]


def test_a_newer_or_damaged_file_is_refused(tmp_path: Path) -> None:
    store = FactCheckStore(tmp_path)
    store.add([])
    with sqlite3.connect(store.path) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreVersionError):
        store.count()
    damaged = FactCheckStore(tmp_path / "damaged")
    damaged.path.parent.mkdir(parents=True)
    damaged.path.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match="cannot be used"):
        damaged.count()
