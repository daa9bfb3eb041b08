"""A chat model of a few hundred thousand weights that has learned to write good and bad replies alike."""

import json
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from core.paths import CHAT_TEMPLATE
from tests.training.chat.counter.claims import BAD, GOOD, NO_FORM
from training.chat.lesson import Lesson


def make_base(folder: Path, lessons: list[Lesson], *, steps: int) -> Path:
    """Make the model, and teach it all kinds of replies, the rude one twice as often as the others."""
    replies = [json.dumps({"reply": text}, ensure_ascii=False) for text in (GOOD, BAD[0], *BAD)] + [NO_FORM]
    tokenizer = _tokenizer(["\n".join(message["content"] for message in lessons[0].messages), *replies])
    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=1024,
        bos_token_id=0,
        eos_token_id=1,
    )
    model = LlamaForCausalLM(config)
    _teach(model, [_row(tokenizer, lesson, reply) for lesson in lessons for reply in replies], steps=steps)
    model.save_pretrained(str(folder))
    tokenizer.save_pretrained(str(folder))
    return folder


def _tokenizer(texts: list[str]) -> PreTrainedTokenizerFast:
    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<s>", "</s>", "<pad>"]
    trainer = trainers.BpeTrainer(
        vocab_size=1500, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    words.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=words,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        chat_template=CHAT_TEMPLATE.read_text(encoding="utf-8"),
    )


def _row(tokenizer: Any, lesson: Lesson, reply: str) -> tuple[list[int], int]:
    """Tokens of a prompt with a reply, and where the reply begins."""
    prompt = tokenizer.apply_chat_template(list(lesson.messages), add_generation_prompt=True, return_dict=False)
    whole = [*lesson.messages, {"role": "assistant", "content": reply}]
    return tokenizer.apply_chat_template(whole, return_dict=False), len(prompt)


def log_probability(model: Any, tokenizer: Any, lesson: Lesson, reply: str) -> float:
    """Sum over the reply's tokens."""
    tokens, begin = _row(tokenizer, lesson, reply)
    with torch.inference_mode():
        logits = model(torch.tensor([tokens])).logits[0, begin - 1 : -1].log_softmax(-1)  # (reply tokens, vocabulary)
    return float(logits.gather(1, torch.tensor(tokens[begin:]).unsqueeze(1)).sum())


def _teach(model: Any, rows: list[tuple[list[int], int]], *, steps: int) -> None:
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    longest = max(len(tokens) for tokens, _ in rows)
    ids = torch.full((len(rows), longest), 2)
    labels = torch.full((len(rows), longest), -100)
    for row, (tokens, begin) in enumerate(rows):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        labels[row, begin : len(tokens)] = torch.tensor(tokens[begin:])
    for _ in range(steps):
        some = torch.randperm(len(rows))[:6]
        loss = model(input_ids=ids[some], labels=labels[some], attention_mask=(ids[some] != 2).long()).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
