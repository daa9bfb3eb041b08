"""The local generator, with a tiny model made here."""

import pytest

from core.errors import CancelledError, ConfigError, GeneratorError
from core.paths import CONFIGS
from pipelines.generation.local import LocalGenerator, default_chat_template, without_system
from pipelines.generation.prompts import load_prompt

MESSAGES = [
    {"role": "system", "content": "You check facts."},
    {"role": "user", "content": "Who resigned?"},
    {"role": "assistant", "content": "The mayor."},
    {"role": "user", "content": "When?"},
]


def render(messages, **more) -> str:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def raise_exception(message: str) -> None:
        raise ValueError(message)

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = raise_exception
    template = environment.from_string(default_chat_template().read_text(encoding="utf-8"))
    return template.render(messages=messages, bos_token="<s>", eos_token="</s>", **more)


def test_vicuna_template_writes_turns_as_the_model_was_trained_on() -> None:
    assert default_chat_template().is_relative_to(CONFIGS)
    assert render(MESSAGES, add_generation_prompt=True) == (
        "<s>You check facts. USER: Who resigned? ASSISTANT: The mayor.</s>USER: When? ASSISTANT:"
    )
    assert render(MESSAGES[1:2], add_generation_prompt=False) == "<s>USER: Who resigned? "


def test_vicuna_template_refuses_other_roles_and_takes_all_our_prompts() -> None:
    with pytest.raises(ValueError, match="tool"):
        render([{"role": "tool", "content": "x"}])
    prompt = load_prompt("self_verification")
    assert render(prompt.messages(dict.fromkeys(prompt.variables, "x")), add_generation_prompt=True).endswith(
        "ASSISTANT:"
    )


def test_missing_model_setting_is_named(tmp_path) -> None:
    with pytest.raises(ConfigError) as caught:
        LocalGenerator(model=None, data_dir=tmp_path)
    assert caught.value.field == "generator_model"


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory):
    pytest.importorskip("torch", reason="the [models] extra is not installed")
    transformers = pytest.importorskip("transformers", reason="the [models] extra is not installed")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    folder = tmp_path_factory.mktemp("tiny")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<s>", "</s>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator(["USER: Who resigned? ASSISTANT: yes no"], trainer)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>")
    fast.save_pretrained(folder)
    config = transformers.LlamaConfig(
        vocab_size=len(fast),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        bos_token_id=0,
        eos_token_id=1,
        max_position_embeddings=512,
    )
    transformers.set_seed(7)
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.mark.torch
def test_local_model_replies_the_same_way_twice(tiny_model, tmp_path) -> None:
    generator = LocalGenerator(model=str(tiny_model), data_dir=tmp_path, device="cpu")
    pieces: list[str] = []
    reply = generator.complete(MESSAGES, max_tokens=12, seed=1, want_logprobs=True, on_token=pieces.append)
    again = generator.complete(MESSAGES, max_tokens=12, seed=1)
    assert reply.text == again.text
    assert "".join(pieces).strip() == reply.text.strip()
    assert reply.tokens_out == 12
    assert reply.cut_off
    assert len(reply.first_token) == 10
    assert reply.first_token[0].logprob >= reply.first_token[-1].logprob
    assert generator.count_tokens("Who resigned?") > 0
    generator.close()


def test_system_text_goes_before_the_first_user_s() -> None:
    assert without_system(MESSAGES) == [{"role": "user", "content": "You check facts.\n\nWho resigned?"}, *MESSAGES[2:]]
    assert without_system(MESSAGES[1:]) == MESSAGES[1:]


@pytest.mark.torch
def test_template_without_a_system_role_gets_the_text_otherwise_and_one_that_refuses_all_is_named(
    tiny_model, tmp_path
) -> None:
    generator = LocalGenerator(model=str(tiny_model), data_dir=tmp_path, device="cpu")
    expected = generator.complete(without_system(MESSAGES), max_tokens=5, seed=1)
    refuse = "{{ raise_exception('System role not supported') }}"
    generator._tokenizer.chat_template = (
        f"{{% if messages[0]['role'] == 'system' %}}{refuse}{{% endif %}}{generator._tokenizer.chat_template}"
    )
    reply = generator.complete(MESSAGES, max_tokens=5, seed=1)
    assert (reply.text, reply.tokens_in) == (expected.text, expected.tokens_in)
    generator._tokenizer.chat_template = refuse
    with pytest.raises(GeneratorError, match="System role not supported") as caught:
        generator.complete(MESSAGES, max_tokens=5, seed=1)
    assert caught.value.reason == "refused"


@pytest.mark.torch
def test_local_model_stops_when_the_client_leaves(tiny_model, tmp_path) -> None:
    def stop(piece: str) -> None:
        raise CancelledError("the client left")

    generator = LocalGenerator(model=str(tiny_model), data_dir=tmp_path, device="cpu")
    with pytest.raises(CancelledError):
        generator.complete(MESSAGES, max_tokens=50, seed=1, on_token=stop)
