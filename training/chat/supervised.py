"""First stage: learn good replies, the prompt given (TRL's SFTTrainer)."""

from collections.abc import Sequence
from pathlib import Path

from datasets import Dataset
from trl import SFTConfig, SFTTrainer

from training.chat.base import load_base, with_new_adapter
from training.chat.lesson import Lesson
from training.chat.record import StageRecord
from training.chat.setting import Setting
from training.chat.stage import run_stage, trainer_options


def learn_replies(setting: Setting, lessons: Sequence[Lesson], folder: Path) -> StageRecord:
    """
    Train a new adapter on the lessons that have a reply; only the replies' tokens count in the loss.

    :param folder: For checkpoints and the folder `adapter`.
    """
    recipe = setting.recipe
    rows = [
        {"prompt": list(one.messages), "completion": [{"role": "assistant", "content": one.reply}]}
        for one in lessons
        if one.reply
    ]
    trainer = SFTTrainer(
        model=with_new_adapter(load_base(setting.base), recipe.lora, seed=recipe.seed),
        args=SFTConfig(completion_only_loss=True, **trainer_options(recipe, recipe.supervised, folder)),
        train_dataset=Dataset.from_list(rows),
        processing_class=setting.tokenizer,
    )
    return run_stage(trainer, setting, folder, recipe.supervised, name="supervised")
