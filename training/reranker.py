"""
The dense reranker: the gold abstract ahead of BM25's hardest wrong ones by a margin, and of many others by contrast.

After RARG (Yue et al., NAACL 2024): BM25's best are the hard candidates, and negatives are drawn the likelier the lower
BM25 ranks them. Here two linear maps over the shipped embedder's vectors are learned, not the encoder: 1,068 claims are
too few for more, and it takes seconds.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.embedder import OnnxEmbedder
from models.reranker import WEIGHTS, Embed, relative
from training.data.sources.claims import Pool, read_pool
from training.files import write_sums
from training.recipe import RerankerRecipe


def build_reranker(
    recipe: RerankerRecipe,
    folder: Path,
    *,
    data: Path,
    embed: Embed | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Path:
    """
    Train on the train split's claims and abstracts, and write `reranker.npz` and `SHA256SUMS`.

    :param embed: None: the shipped embedder.
    :returns: The folder `model` below `folder`.
    """
    pool = read_pool(data, embed or OnnxEmbedder().embed)
    query, text = train(recipe, pool, say=say)
    target = folder / "model"
    target.mkdir(parents=True, exist_ok=True)
    np.savez(
        target / WEIGHTS,
        query=query.numpy().astype(np.float16),
        text=text.numpy().astype(np.float16),
        bm25=np.float32(recipe.bm25_share),
    )
    write_sums(target, (WEIGHTS,))
    return target


def train(
    recipe: RerankerRecipe, pool: Pool, *, say: Callable[[str], None] = lambda line: None
) -> tuple[Tensor, Tensor]:
    """Learn the two maps, (dimension, dimension) each, from the identity on."""
    torch.manual_seed(recipe.seed)
    claims = torch.tensor([number for number, split in enumerate(pool.splits) if split == "train"])
    gold = torch.from_numpy(pool.gold)[claims]
    texts, places = torch.unique(gold, return_inverse=True)  # abstracts of other splits are never seen
    queries, vectors = torch.from_numpy(pool.queries)[claims], torch.from_numpy(pool.texts)[texts]
    lexical = torch.from_numpy(relative(pool.bm25))[claims][:, texts]
    same = torch.eye(queries.shape[1])
    maps = [same.clone().requires_grad_(), same.clone().requires_grad_()]
    optimizer = torch.optim.Adam(maps, lr=recipe.rate)
    for epoch in range(recipe.epochs):
        for rows in torch.randperm(len(claims)).split(recipe.batch):
            near = _near(queries[rows], vectors, maps, recipe)
            drift = sum(((one - same) ** 2).sum() for one in maps)
            loss = _loss(near, places[rows], lexical[rows], recipe) + recipe.anchor * drift
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        say(f"epoch {epoch + 1}: loss {float(loss.detach()):.3f}")
    return maps[0].detach(), maps[1].detach()


def _near(queries: Tensor, texts: Tensor, maps: list[Tensor], recipe: RerankerRecipe) -> Tensor:
    """Cosines of the turned vectors, (queries, texts)."""
    turned = [functional.dropout(part, recipe.dropout) @ one for part, one in zip((queries, texts), maps, strict=True)]
    return functional.normalize(turned[0], dim=-1) @ functional.normalize(turned[1], dim=-1).T


def _loss(near: Tensor, gold: Tensor, lexical: Tensor, recipe: RerankerRecipe) -> Tensor:
    """
    Margin to the hardest and contrast with the drawn.

    :param near: (rows, texts).
    :param gold: (rows,): column of each row's own text.
    :param lexical: (rows, texts): BM25, 0 to 1.
    """
    own = gold.unsqueeze(1)
    right = near.gather(1, own)  # (rows, 1)
    hard = near.gather(1, lexical.scatter(1, own, -1.0).topk(min(recipe.hard, near.shape[1] - 1), dim=1).indices)
    margin = functional.relu(recipe.margin - right + hard).mean()
    chances = (1.05 - lexical).scatter(1, own, 0.0)  # the likelier, the lower BM25 ranks it
    drawn = near.gather(1, torch.multinomial(chances, min(recipe.drawn, near.shape[1] - 1)))
    logits = torch.cat([right, hard, drawn], dim=1) / recipe.temperature
    contrast = functional.cross_entropy(logits, torch.zeros(len(near), dtype=torch.long))
    return contrast + recipe.margin_weight * margin
