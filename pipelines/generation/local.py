"""A chat model in this process, through transformers (extra `[models]`)."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from haystack import default_to_dict
from jinja2 import TemplateError

from core.errors import CancelledError, ConfigError, GeneratorError, ModelError
from core.paths import CHAT_TEMPLATE
from models.hashes import file_hash
from pipelines.contracts.generator import Message, OnToken, Reply, TokenAlternative, ignore_token

_ALTERNATIVES = 10


class LocalGenerator:
    """
    Runs one causal language model; requests wait for one another.

    :param model: A folder, `<data_dir>/models/<name>`, or a hub name where a hub can be reached.
    :param data_dir: Where `looksy models pull` puts models.
    :param device: None: a GPU if there is one.
    """

    def __init__(self, *, model: str | None, data_dir: Path | str, device: str | None = None) -> None:
        if not model:
            raise ConfigError(
                "generator_model is not set", field="generator_model", hint="Set LOOKSY_GENERATOR_MODEL to a folder."
            )
        self.model = model
        self.data_dir = Path(data_dir)
        self.device = device
        self._lock = threading.RLock()
        self._model: Any = None
        self._tokenizer: Any = None
        self._identity: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments as Haystack writes them into a pipeline file."""
        return default_to_dict(self, model=self.model, data_dir=str(self.data_dir), device=self.device)

    @property
    def name(self) -> str:
        """Name kind and model."""
        return f"transformers:{self.model}"

    @property
    def identity(self) -> str:
        """Name kind and model and, once it is loaded, the hash of its weights file or the hub's revision."""
        if self._identity is None and self._model is not None:
            weights = self._folder() / "model.safetensors"
            revision = getattr(self._model.config, "_commit_hash", None)
            content = file_hash(weights)[:12] if weights.is_file() else revision
            self._identity = f"{self.name}@{content}" if content else self.name
        return self._identity or self.name

    def _folder(self) -> Path:
        pulled = self.data_dir / "models" / self.model.replace("/", "--")
        return pulled if pulled.is_dir() else Path(self.model)

    @property
    def counts_exactly(self) -> bool:
        """Say yes: the tokenizer is the model's own."""
        return True

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text, special tokens left out."""
        self.warm_up()
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def warm_up(self) -> None:
        """Load the model."""
        with self._lock:
            if self._model is not None:
                return
            try:
                import torch
                from transformers import AutoModelForCausalLM, AutoTokenizer
            except ImportError as error:
                raise ConfigError(
                    "generator transformers needs torch and transformers",
                    field="generator",
                    hint="pip install 'looksy[models]'",
                ) from error
            place = str(self._folder())
            device = self.device or ("cuda" if torch.cuda.is_available() else "cpu")
            try:
                self._tokenizer = AutoTokenizer.from_pretrained(place)
                self._model = AutoModelForCausalLM.from_pretrained(place).to(device).eval()
            except (OSError, ValueError, RuntimeError) as error:
                raise ModelError(
                    f"{place} cannot be loaded: {error}", field="generator_model", hint="looksy models pull NAME"
                ) from error
            if not self._tokenizer.chat_template:
                self._tokenizer.chat_template = default_chat_template().read_text(encoding="utf-8")

    def close(self) -> None:
        """Give back the memory."""
        with self._lock:
            self._model = self._tokenizer = None

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        seed: int,
        temperature: float = 0.0,
        want_logprobs: bool = False,
        on_token: OnToken = ignore_token,
        schema: dict[str, Any] | None = None,  # transformers has no grammar
    ) -> Reply:
        """Let the model reply; see the contract."""
        self.warm_up()
        with self._lock:
            try:
                return self._generate(
                    messages,
                    max_tokens=max_tokens,
                    seed=seed,
                    temperature=temperature,
                    want_logprobs=want_logprobs,
                    on_token=on_token,
                )
            except CancelledError:
                raise
            except (RuntimeError, ValueError) as error:  # out of memory, a prompt longer than the model
                raise GeneratorError(f"{self.name} failed: {error}", reason="server_error") from error
            except TemplateError as error:
                raise GeneratorError(
                    f"the chat template of {self.name} refuses the messages: {error}",
                    reason="refused",
                    field="generator_model",
                    hint="Mend the template in its folder, or set LOOKSY_GENERATOR_MODEL to another chat model.",
                ) from error

    def _generate(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        seed: int,
        temperature: float,
        want_logprobs: bool,
        on_token: OnToken,
    ) -> Reply:
        import torch
        from transformers import TextStreamer

        class Streamer(TextStreamer):  # type: ignore[misc]
            def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
                if text:
                    on_token(text)

        torch.manual_seed(seed)
        try:
            inputs = self._encode(messages)
        except TemplateError:  # Gemma's and some of Mistral's know no system role
            inputs = self._encode(without_system(messages))
        sampling = {"do_sample": True, "temperature": temperature} if temperature > 0 else {"do_sample": False}
        with torch.inference_mode():
            output = self._model.generate(
                **inputs,
                max_new_tokens=max_tokens,
                pad_token_id=self._tokenizer.pad_token_id or self._tokenizer.eos_token_id,
                streamer=Streamer(self._tokenizer, skip_prompt=True, skip_special_tokens=True),
                output_scores=True,
                return_dict_in_generate=True,
                **sampling,
            )
        given = inputs["input_ids"].shape[1]
        written = output.sequences[0, given:]  # (tokens,)
        text = self._tokenizer.decode(written, skip_special_tokens=True)
        if not text.strip():
            raise GeneratorError(f"the reply of {self.name} is empty", reason="empty")
        return Reply(
            text=text,
            model=self.model,
            generator=self.name,
            cut_off=len(written) >= max_tokens,
            tokens_in=int(given),
            tokens_out=len(written),
            first_token=self._alternatives(output.scores[0][0]) if want_logprobs else (),
        )

    def _encode(self, messages: Sequence[Message]) -> Any:
        return self._tokenizer.apply_chat_template(
            list(messages), add_generation_prompt=True, return_tensors="pt", return_dict=True
        ).to(self._model.device)

    def _alternatives(self, logits: Any) -> tuple[TokenAlternative, ...]:
        """Return the likeliest tokens at one place; `logits` has shape (vocabulary,)."""
        top = logits.log_softmax(-1).topk(min(_ALTERNATIVES, logits.shape[-1]))
        return tuple(
            TokenAlternative(token=self._tokenizer.decode([int(token)]), logprob=float(value))
            for value, token in zip(top.values, top.indices, strict=True)
        )


def without_system(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with the system's text before that of the first user, for templates without that role."""
    system = [message["content"] for message in messages if message["role"] == "system"]
    others = [message for message in messages if message["role"] != "system"]
    for index, message in enumerate(others):
        if message["role"] == "user":
            others[index] = {**message, "content": "\n\n".join([*system, message["content"]])}
            break
    return others


def default_chat_template() -> Path:
    """Return the template for models whose tokenizer has none: that of Vicuna v1.5."""
    return CHAT_TEMPLATE
