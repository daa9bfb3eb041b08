"""
Second stage: of two replies make the better likelier, the worse less likely (TRL's DPOTrainer).

DPO (Rafailov et al., NeurIPS 2023) and not reinforcement with the scores as reward: candidates are sampled and judged
once, lie on disk where a person can read them, and a stopped build goes on; nothing is sampled inside the training
loop, which with a model of 7B would need a second server. The reference is the adapter of the first stage.

The loss of the first stage on the better replies is added (Pang et al., NeurIPS 2024): DPO alone widens the margin of a
pair also by making both replies unlikely, and a model of this test suite then wrote neither.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from datasets import Dataset
from trl import DPOConfig, DPOTrainer

from training.chat.base import load_base, with_adapter
from training.chat.lesson import Lesson
from training.chat.pairs import Pair
from training.chat.record import StageRecord
from training.chat.setting import Setting
from training.chat.stage import run_stage, trainer_options


def learn_preferences(
    setting: Setting, adapter: Path, folder: Path, *, lessons: Mapping[str, Lesson], pairs: Sequence[Pair]
) -> StageRecord:
    """
    Go on with an adapter.

    :param adapter: Of the first stage; where this stage begins and what it is held to.
    :param folder: For checkpoints and the folder `adapter`.
    :param lessons: By name.
    :param pairs: Not empty.
    """
    recipe = setting.recipe
    wanted = recipe.preference
    rows = [
        {
            "prompt": list(lessons[pair.lesson].messages),
            "chosen": [{"role": "assistant", "content": pair.chosen}],
            "rejected": [{"role": "assistant", "content": pair.rejected}],
        }
        for pair in pairs
    ]
    trainer = DPOTrainer(
        model=with_adapter(load_base(setting.base), adapter, trainable=True),
        args=DPOConfig(
            beta=wanted.beta,
            loss_type=["sigmoid", "sft"],
            loss_weights=[1.0, wanted.anchor],
            **trainer_options(recipe, wanted, folder),
        ),
        train_dataset=Dataset.from_list(rows),
        processing_class=setting.tokenizer,
    )
    return run_stage(trainer, setting, folder, wanted, name="preference")
