"""One stage of training: from checkpoint to checkpoint, to an adapter that is there whole or not at all."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

from transformers import PrinterCallback, Trainer
from transformers.trainer_callback import TrainerState

from core.files import flush
from training.chat.recipe import LoraRecipe, Steps
from training.chat.record import StageRecord
from training.chat.setting import Setting
from training.chat.stopping import StopAndSay
from training.evidence.device import pick_device, uses_bfloat16

ADAPTER, RECORD, STATE = "adapter", "stage.json", "trainer_state.json"
_KEPT = ("loss", "mean_token_accuracy", "rewards/margins", "rewards/accuracies")


def stage_record(folder: Path) -> StageRecord | None:
    """Return what a finished stage did; None: it is not finished."""
    file = folder / ADAPTER / RECORD
    return StageRecord.model_validate_json(file.read_text(encoding="utf-8")) if file.is_file() else None


def trainer_options(recipe: LoraRecipe, steps: Steps, folder: Path) -> dict[str, Any]:
    """Return what both trainers of TRL are told alike."""
    device = pick_device()
    return {
        "output_dir": str(folder),
        "max_steps": steps.steps,
        "learning_rate": steps.rate,
        "warmup_steps": steps.warmup,
        "lr_scheduler_type": "cosine",
        "per_device_train_batch_size": steps.batch,
        "gradient_accumulation_steps": steps.accumulate,
        "gradient_checkpointing": recipe.gradient_checkpointing,
        "max_length": recipe.max_tokens,
        "save_steps": min(recipe.save_every, steps.steps),
        "save_total_limit": 2,
        "logging_steps": max(1, steps.steps // 20),
        "bf16": device == "cuda" and uses_bfloat16(device),
        "use_cpu": device == "cpu",
        "dataloader_pin_memory": device == "cuda",
        "seed": recipe.seed,
        "report_to": "none",
        "disable_tqdm": True,
    }


def run_stage(trainer: Trainer, setting: Setting, folder: Path, steps: Steps, *, name: str) -> StageRecord:
    """
    Train to the stage's last step, or go on with it, and write the folder `adapter`.

    :param folder: The trainer's, with its checkpoints.
    :raises CancelledError: If the time is over; a checkpoint was written, and the same call goes on from it.
    """
    trainer.remove_callback(PrinterCallback)  # the command line alone prints
    trainer.add_callback(StopAndSay(name, setting.deadline, setting.say))
    before = last_checkpoint(folder)
    trainer.train(resume_from_checkpoint=None if before is None else str(before))
    done = trainer.state.global_step
    if done < steps.steps:
        setting.deadline.check(f"{name} stands at step {done} of {steps.steps}")
    record = _record(trainer.state, rows=len(trainer.train_dataset))
    _keep(trainer, folder, record)
    return record


def last_checkpoint(folder: Path) -> Path | None:
    """Return the newest checkpoint that was written to its end; the trainer writes its state last."""
    found = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]), reverse=True)
    return next((path for path in found if _is_whole(path)), None)


def _is_whole(checkpoint: Path) -> bool:
    try:
        json.loads((checkpoint / STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return True


def _record(state: TrainerState, *, rows: int) -> StageRecord:
    reports = [{name: float(one[name]) for name in _KEPT if name in one} for one in state.log_history if "loss" in one]
    first, last = (reports[0], reports[-1]) if reports else ({}, {})
    return StageRecord(steps=state.global_step, rows=rows, first=first, last=last)


def _keep(trainer: Trainer, folder: Path, record: StageRecord) -> None:
    part = folder / f"{ADAPTER}.part"
    shutil.rmtree(part, ignore_errors=True)
    trainer.model.save_pretrained(str(part), selected_adapters=["default"])
    (part / "README.md").unlink(missing_ok=True)  # a form of PEFT's to fill in; ours is CARD.md
    (part / RECORD).write_text(record.model_dump_json(indent=2) + "\n", encoding="utf-8")
    for path in (*part.iterdir(), part):
        flush(path)
    shutil.rmtree(folder / ADAPTER, ignore_errors=True)
    os.replace(part, folder / ADAPTER)
    flush(folder)
