"""The chat model that an adapter is trained for, and adapters on it."""

import gc
import hashlib
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from core.errors import ModelError, NotFoundError
from core.paths import CHAT_TEMPLATE
from models.hashes import file_hash
from models.hub import pulled_folder
from training.chat.kinds import ChatModel, Tokenizer
from training.chat.recipe import Lora
from training.evidence.device import pick_device, uses_bfloat16


def find_base(name: str, data_dir: Path) -> Path:
    """
    Find a base model that is on this machine; none is fetched.

    :param name: A folder, or owner/name as `looksy models pull` fetched it.
    :raises NotFoundError: If it is not there.
    """
    for folder in (Path(name), pulled_folder(name, data_dir)):
        if (folder / "config.json").is_file():
            return folder
    raise NotFoundError(
        f"the base model {name!r} is neither a folder with config.json nor in {data_dir / 'models'}",
        field="base",
        hint=f"Run `looksy models pull {name}`, or give a folder with --base.",
    )


def base_hash(folder: Path) -> str:
    """Name a base model by its weights: SHA-256 over the hashes of its safetensors files, in hexadecimal."""
    hashes = [f"{path.name} {file_hash(path)}\n" for path in sorted(folder.glob("*.safetensors"))]
    if not hashes:
        raise ModelError(
            f"{folder} holds no safetensors file", field="base", hint="Pickled weights are not read: convert them."
        )
    return hashlib.sha256("".join(hashes).encode()).hexdigest()


def load_tokenizer(folder: Path) -> Tokenizer:
    """
    Load the tokenizer of a base model or adapter, with a chat template and a token to pad with.

    :raises ModelError: If it cannot be loaded.
    """
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder))
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelError(f"the tokenizer of {folder} cannot be loaded: {error}", field="base") from error
    if not tokenizer.chat_template:
        tokenizer.chat_template = CHAT_TEMPLATE.read_text(encoding="utf-8")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def load_base(folder: Path, *, as_stored: bool = False) -> ChatModel:
    """
    Load the weights: bfloat16 on a GPU that computes it, 32 bits elsewhere.

    :param as_stored: Keep the numbers of the file instead.
    :raises ModelError: If they cannot be loaded.
    """
    free_memory()
    device = pick_device()
    numbers = torch.bfloat16 if device == "cuda" and uses_bfloat16(device) else torch.float32
    try:
        model = AutoModelForCausalLM.from_pretrained(str(folder), dtype="auto" if as_stored else numbers)
        return model.to(device)
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelError(f"the base model {folder} cannot be loaded: {error}", field="base") from error


def with_new_adapter(model: ChatModel, lora: Lora, *, seed: int) -> ChatModel:
    """Put an adapter on a base model that changes nothing yet."""
    torch.manual_seed(seed)
    config = LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=list(lora.targets),
        task_type="CAUSAL_LM",
    )
    return get_peft_model(model, config)


def with_adapter(model: ChatModel, adapter: Path, *, trainable: bool = False) -> ChatModel:
    """
    Put a saved adapter on a base model.

    :raises ModelError: If it cannot be loaded.
    """
    try:
        return PeftModel.from_pretrained(model, str(adapter), is_trainable=trainable)
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelError(f"the adapter {adapter} cannot be loaded: {error}", field="out") from error


def free_memory() -> None:
    """Give back what is no longer held, before a model of many gigabytes is loaded again."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
