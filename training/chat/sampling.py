"""Let a chat model reply to lessons."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, cast

import torch

from training.chat.kinds import ChatModel, Tokenizer
from training.chat.lesson import Lesson


class Sampler:
    """
    Reply with a loaded model.

    :param tokenizer: With chat template and padding token.
    :param max_tokens: Longest reply.
    """

    def __init__(self, model: ChatModel, tokenizer: Tokenizer, *, max_tokens: int) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens

    def without_adapter(self) -> AbstractContextManager[None]:
        """Let the base model alone reply for a while."""
        return cast("AbstractContextManager[None]", self._model.disable_adapter())

    def likeliest(self, lessons: Sequence[Lesson], *, together: int) -> list[str]:
        """
        Reply to each lesson, always with the likeliest token.

        :param together: Lessons in one batch.
        """
        found: list[str] = []
        for first in range(0, len(lessons), together):
            found += self._write(lessons[first : first + together], {"do_sample": False})
        return found

    def sample(self, lessons: Sequence[Lesson], *, count: int, temperature: float, seed: int) -> list[list[str]]:
        """
        Sample from the whole distribution, all lessons in one batch; the same seed and batch give the same replies.

        :param count: Replies a lesson.
        """
        torch.manual_seed(seed)
        chance = {
            "do_sample": True,
            "temperature": temperature,
            "top_k": 0,
            "top_p": 1.0,
            "num_return_sequences": count,
        }
        texts = self._write(lessons, chance)
        return [texts[first : first + count] for first in range(0, len(texts), count)]

    def _write(self, lessons: Sequence[Lesson], how: dict[str, Any]) -> list[str]:
        prompts = self._tokenizer.apply_chat_template(
            [list(one.messages) for one in lessons], add_generation_prompt=True, tokenize=False
        )
        inputs = self._tokenizer(
            prompts, add_special_tokens=False, padding=True, padding_side="left", return_tensors="pt"
        ).to(self._model.device)  # (lessons, tokens); padded left, so that all replies begin at the same place
        with torch.inference_mode():
            output = self._model.generate(
                **inputs, max_new_tokens=self._max_tokens, pad_token_id=self._tokenizer.pad_token_id, **how
            )
        written = output[:, inputs["input_ids"].shape[1] :]  # (lessons * replies, tokens)
        return [text.strip() for text in self._tokenizer.batch_decode(written, skip_special_tokens=True)]


def prompt_tokens(tokenizer: Tokenizer, lesson: Lesson, *, reply_tokens: int) -> int:
    """
    Count the tokens of a lesson, its reply with it.

    :param reply_tokens: What is reserved for a reply where that is more than the lesson's own has.
    """
    asked = len(tokenizer.apply_chat_template(list(lesson.messages), add_generation_prompt=True, return_dict=False))
    own = len(tokenizer.encode(lesson.reply, add_special_tokens=False)) + 1 if lesson.reply else 0
    return asked + max(own, reply_tokens)
