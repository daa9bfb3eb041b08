import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra [train])")
pytest.importorskip("bm25s", reason="bm25s is not installed (extra [train])")

from models.reranker import Reranker
from training import reranker as builder
from training.data.sources.claims import Pool
from training.recipe import find_recipe

pytestmark = pytest.mark.torch
TOPICS, WIDTH = 24, 16


@pytest.fixture
def pool():
    """Claims whose vectors are a fixed turn of their text's; BM25 knows nothing. The last third is for testing."""
    chance = np.random.default_rng(5)
    turn = np.linalg.qr(chance.normal(size=(WIDTH, WIDTH)))[0]
    topics = chance.normal(size=(TOPICS, WIDTH))
    topics /= np.linalg.norm(topics, axis=1, keepdims=True)
    gold = np.repeat(np.arange(TOPICS), 20)
    claims = topics[gold] @ turn + 0.05 * chance.normal(size=(len(gold), WIDTH))
    claims /= np.linalg.norm(claims, axis=1, keepdims=True)
    return Pool(
        queries=claims.astype(np.float32),
        texts=topics.astype(np.float32),
        bm25=chance.uniform(size=(len(gold), TOPICS)).astype(np.float32),
        gold=gold,
        splits=tuple("train" if topic < 20 else "test" for topic in gold),
    )


def first(scores, gold):
    return float((scores.argmax(axis=1) == gold).mean())


def test_training_finds_the_turn_and_saves_it(pool, tmp_path, monkeypatch):
    monkeypatch.setattr(builder, "read_pool", lambda data, embed: pool)
    recipe = find_recipe("check-covid").model_copy(update={"epochs": 40, "rate": 0.01, "bm25_share": 0.0})
    folder = builder.build_reranker(recipe, tmp_path, data=tmp_path, embed=lambda texts: pool.texts)
    reranker = Reranker(folder, lambda texts: pool.texts)
    train = np.array([split == "train" for split in pool.splits])
    before = first(pool.queries[train] @ pool.texts.T, pool.gold[train])
    after = first(reranker.vector_scores(pool.queries[train], pool.texts, pool.bm25[train]), pool.gold[train])
    unseen = first(reranker.vector_scores(pool.queries[~train], pool.texts, pool.bm25[~train]), pool.gold[~train])
    assert before < 0.3
    assert after > 0.9
    assert unseen > 0.5


def test_the_same_seed_gives_the_same_maps_and_test_claims_do_not_matter(pool):
    recipe = find_recipe("check-covid").model_copy(update={"epochs": 2})
    mine = builder.train(recipe, pool)
    train = np.array([split == "train" for split in pool.splits])
    other = np.where(train[:, None], pool.queries, -pool.queries)
    changed = Pool(other, pool.texts, pool.bm25, pool.gold, pool.splits)
    theirs = builder.train(recipe, changed)
    assert all(torch.equal(one, two) for one, two in zip(mine, theirs, strict=True))
