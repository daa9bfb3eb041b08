from pathlib import Path

import pytest
import yaml

from core.errors import ConfigError, NotFoundError
from pipelines.generation.prompts import Prompt, list_prompts, load_prompt

FIELDS = {"name": "p", "version": "1.0", "purpose": "Try.", "variables": ["query"], "user": "Q: {{ query }}"}


def write(folder: Path, **changes: object) -> str:
    path = folder / "p.yaml"
    path.write_text(yaml.safe_dump(FIELDS | changes), encoding="utf-8")
    return str(path)


def test_every_prompt_of_the_issue_ships_under_its_own_name() -> None:
    assert {"references", "contexts", "keywords", "raw", "self_verification", "label"} <= set(list_prompts())
    for name in list_prompts():
        prompt = load_prompt(name)
        assert prompt.name == name
        assert prompt.messages(dict.fromkeys(prompt.variables, "x"))[-1]["role"] == "user"


def test_self_verification_shows_one_right_and_one_wrong_answer() -> None:
    prompt = load_prompt("self_verification")
    assert [example.reply for example in prompt.examples] == ["yes", "no"]
    roles = [message["role"] for message in prompt.messages({"query": "q", "evidence": "e", "answer": "a"})]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"variables": []}, "query"),
        ({"variables": ["query", "other"]}, "other"),
        ({"user": "{{ query }} {{ extra }}"}, "extra"),
        ({"user": "{{ query"}, "template"),
        ({"colour": "red"}, "colour"),
        ({"version": "one"}, "version"),
        ({"examples": [{"variables": {"quest": "x"}, "reply": "yes"}]}, "query"),
    ],
)
def test_wrong_prompt_file_does_not_load(tmp_path: Path, changes: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_prompt(write(tmp_path, **changes))
    assert named in caught.value.message


def test_file_that_is_no_mapping_does_not_load(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("- a", encoding="utf-8")
    with pytest.raises(ConfigError):
        load_prompt(str(tmp_path / "p.yaml"))


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(NotFoundError) as caught:
        load_prompt("reference")
    assert "references" in (caught.value.hint or "")


@pytest.mark.parametrize("values", [{}, {"query": "x", "more": "y"}])
def test_values_must_be_exactly_the_variables(values: dict[str, str]) -> None:
    with pytest.raises(ConfigError):
        Prompt.model_validate(FIELDS).messages(values)


def test_values_are_never_read_as_templates() -> None:
    prompt = Prompt.model_validate(FIELDS)
    assert prompt.messages({"query": "{{ 7 * 7 }}{% raw %}"})[0]["content"] == "Q: {{ 7 * 7 }}{% raw %}"


def test_hash_changes_with_any_word(tmp_path: Path) -> None:
    first = load_prompt(write(tmp_path)).hash
    assert first == Prompt.model_validate(FIELDS).hash
    assert Prompt.model_validate(FIELDS | {"user": "Q, {{ query }}"}).hash != first
