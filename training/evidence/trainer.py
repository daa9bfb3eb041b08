"""The training loop: resumable at every checkpoint, with the rate brought down in time."""

import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import Tensor

from core.errors import ConfigError
from training.evidence.checkpoints import State, load_state, save_state
from training.evidence.curve import Curve
from training.evidence.device import arithmetic, pick_device, uses_bfloat16
from training.evidence.encode import RowGroup
from training.evidence.losses import Losses, batch_losses
from training.evidence.lr_schedule import rate_at
from training.evidence.network import EvidenceNetwork
from training.evidence.sampler import Place, Stream
from training.evidence.tensors import Batch, make_batch
from training.files import LAST, STABLE
from training.recipe import Recipe, Schedule

Validate = Callable[[EvidenceNetwork], dict[str, float]]
_STABLE_SHARE = 0.55
"""Of the minutes given, spent before the rate falls."""
_SAVE_AFTER_S = 600.0
"""Seconds after which a checkpoint is written even where the recipe's step for it is not reached."""


def no_figures(network: EvidenceNetwork) -> dict[str, float]:
    """Measure nothing."""
    return {}


class Trainer:
    """
    Train one network.

    :param network: With the weights to begin with.
    :param folder: For checkpoints and the curve; what is there is gone on from.
    :param validate: Measures the network; higher figures are better.
    :param minutes: Bring the rate down early, so that training ends in about so many; 0: train all steps.
    :param started: SHA-256 of the weights to begin with; a run that began with others is not gone on with. Empty: not
        known.
    """

    def __init__(
        self,
        network: EvidenceNetwork,
        stream: Stream,
        recipe: Recipe,
        folder: Path,
        *,
        validate: Validate = no_figures,
        minutes: float = 0,
        started: str = "",
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.device = pick_device()
        self.half = uses_bfloat16(self.device)
        self.network = network.to(self.device)
        self.network.freeze(recipe.frozen_layers)
        self.stream, self.recipe, self.folder = stream, recipe, folder
        self.validate, self.minutes, self.say = validate, minutes, say
        self.curve = Curve(folder)
        self.optimizer = _optimizer(network, recipe)
        self.state = State(
            weights={},
            averaged=_copy(self._learned()),
            optimizer={},
            random=torch.get_rng_state(),
            recipe=recipe_hash(recipe),
            started=started,
        )
        self._began, self._first = time.monotonic(), 0
        self._saved = self._began

    def train(self, *, until: int | None = None) -> dict[str, Tensor]:
        """
        Train to the end, or to a step.

        :param until: Save and stop before this step.
        :returns: The averaged weights, by name.
        """
        torch.manual_seed(self.recipe.seed)
        self.say(f"computes in {arithmetic(self.device)} on {self.device}, {torch.get_num_threads()} threads")
        self._resume()
        self._began = self._saved = time.monotonic()
        self._first = self.state.step
        batches = self.stream.batches(self.state.place)
        while self.state.step < min(self.schedule.steps, until or self.schedule.steps):
            if self.state.step == self.schedule.stable:
                self._save_stable()
            self._step(batches)
            self._after_step()
        self._save(LAST)
        return self.state.averaged

    @property
    def schedule(self) -> Schedule:
        """The recipe's, or what `minutes` made of it."""
        if self.state.cool_at is None or self.state.cooling is None:
            return self.recipe.schedule
        update = {"stable": self.state.cool_at, "cooling": self.state.cooling}
        return self.recipe.schedule.model_copy(update=update)

    def _step(self, batches: Iterator[tuple[list[RowGroup], Place]]) -> None:
        groups, self.state.place = next(batches)
        batch = make_batch(groups, device=self.device)
        rate = rate_at(self.state.step, self.schedule)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.network.train()
        losses = self._losses(batch)
        weighted = (
            losses.relation
            + self.recipe.side_weight * losses.side
            + self.recipe.mirror_weight * losses.mirror
            + self.recipe.span_weight * losses.span
            + self.recipe.relevance_weight * losses.relevance
        )
        self.optimizer.zero_grad(set_to_none=True)
        weighted.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.clip)
        self.optimizer.step()
        self.state.step += 1
        self._average()
        figures = {name: float(value.detach()) for name, value in vars(losses).items()}
        self.curve.add(
            self.state.step, {"rate": rate, "rows": len(batch.relation), "tokens": batch.mask.sum().item(), **figures}
        )

    def _losses(self, batch: Batch) -> Losses:
        with torch.autocast(self.device, torch.bfloat16, enabled=self.half):
            outputs = self.network(batch.token_ids, batch.mask, batch.types)
        return batch_losses(outputs, batch)

    def _average(self) -> None:
        """Move the running mean towards the weights; slowly only once there are enough steps behind it."""
        decay = min(self.recipe.average, (1 + self.state.step) / (10 + self.state.step))
        for name, value in self._learned().items():
            self.state.averaged[name].lerp_(value.detach(), 1 - decay)

    def _after_step(self) -> None:
        step = self.state.step
        due = step % self.recipe.save_every == 0
        if due:
            self._cool_in_time()
        if due or time.monotonic() - self._saved > _SAVE_AFTER_S:
            self._save(LAST)
            self._saved = time.monotonic()
            self.say(self.curve.line(self.recipe.save_every))
        if step % self.recipe.validate_every == 0:
            figures = self.measured()
            self.curve.add(step, {f"dev {name}": value for name, value in figures.items()})
            self.curve.plot()

    def measured(self) -> dict[str, float]:
        """Measure the averaged weights."""
        now = _copy(self._learned())
        self.network.load_state_dict(self.state.averaged, strict=False)
        self.network.eval()
        with torch.no_grad(), torch.autocast(self.device, torch.bfloat16, enabled=self.half):
            figures = self.validate(self.network)
        self.network.load_state_dict(now, strict=False)
        return figures

    def _cool_in_time(self) -> None:
        """Let the rate fall from here on, or faster than it does, if the minutes given ask for it."""
        spent = (time.monotonic() - self._began) / 60
        if not self.minutes or self.state.cool_at is not None or spent < _STABLE_SHARE * self.minutes:
            return
        step, planned = self.state.step, self.recipe.schedule
        left = max(1, round((self.minutes - spent) * (step - self._first) / spent))
        fallen = max(0.0, (step - planned.stable) / planned.cooling)  # share of the recipe's own fall that is over
        if fallen and step + left >= planned.steps:
            return
        self.state.cool_at = round(step - left * fallen / (1 - fallen))  # so that the same share of this one is over
        self.state.cooling = step + left - self.state.cool_at
        self.say(f"the rate falls from step {self.state.cool_at} on, for {self.state.cooling} steps")

    def _resume(self) -> None:
        file = self.folder / LAST
        if not file.is_file():
            return
        state = load_state(file)
        if state.recipe != self.state.recipe:
            raise ConfigError(
                f"{file} was made with another recipe", field="out", hint="Build into another folder, or remove it."
            )
        if "" not in {state.started, self.state.started} and state.started != self.state.started:
            raise ConfigError(
                f"{file} was begun with weights {state.started[:12]}, not with {self.state.started[:12]}",
                field="weights",
                hint="Give --weights as before (none as before), or begin anew with --fresh.",
            )
        if state.cool_at is None and state.step > self.recipe.schedule.steps:
            raise ConfigError(
                f"{file} stands at step {state.step}, the recipe ends at {self.recipe.schedule.steps}",
                field="out",
                hint="Give the recipe more steps, or begin anew with --fresh.",
            )
        state.averaged = {name: value.to(self.device) for name, value in state.averaged.items()}
        self.state = state
        self.network.load_state_dict(state.weights, strict=False)
        self.optimizer.load_state_dict(state.optimizer)
        torch.set_rng_state(state.random)
        self.curve.cut(state.step)
        self.say(f"goes on at step {state.step}")

    def _save(self, name: str) -> None:
        self.state.weights = _copy(self._learned())
        self.state.optimizer = self.optimizer.state_dict()
        self.state.random = torch.get_rng_state()
        save_state(self.state, self.folder / name)

    def _save_stable(self) -> None:
        """Keep the state before the rate falls, as if it had not been brought forward."""
        fall = self.state.cool_at, self.state.cooling
        self.state.cool_at = self.state.cooling = None
        self._save(STABLE)
        self.state.cool_at, self.state.cooling = fall

    def _learned(self) -> dict[str, Tensor]:
        return {name: value for name, value in self.network.named_parameters() if value.requires_grad}


def recipe_hash(recipe: Recipe) -> str:
    """Name all of a recipe that may not change while training goes on: everything but its length and its words."""
    words = {"save_every": True, "validate_every": True, "title": True, "limits": True}
    return hashlib.sha256(
        recipe.model_dump_json(
            exclude={"schedule": {"stable", "cooling"}, "start": {"trained_share", "mean_sha256"}, **words},
            exclude_defaults=True,  # a choice that recipes get later leaves those that do not make it as they are
        ).encode()
    ).hexdigest()


def _optimizer(network: EvidenceNetwork, recipe: Recipe) -> torch.optim.AdamW:
    """Decay matrices, leave biases and norms alone."""
    learned = [value for value in network.parameters() if value.requires_grad]
    groups = [
        {"params": [value for value in learned if value.ndim > 1], "weight_decay": recipe.weight_decay},
        {"params": [value for value in learned if value.ndim == 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.schedule.peak, betas=(0.9, 0.98), eps=1e-6, fused=True)


def _copy(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in weights.items()}
