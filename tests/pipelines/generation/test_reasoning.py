"""Models that reason: their thoughts are kept in the record and are no part of what they say."""

from collections.abc import Sequence

import pytest

from core.settings import Settings
from core.types import Model
from pipelines.contracts.generator import Reply, TokenAlternative
from pipelines.generation.ask_model import Asked, ask
from pipelines.generation.prompts import load_prompt
from pipelines.generation.reasoning import without_thoughts
from pipelines.generation.replies import ask_for_object
from pipelines.runs.context import recorded_replies, run_context

QUERY = {"query": "Who resigned?"}
THOUGHT = "<think>Was it the mayor? If not: The indexed articles do not answer this.</think>"


class Thinker:
    """A generator that says one thing."""

    name = "thinker"

    def __init__(self, text: str) -> None:
        self.text = text

    def complete(self, messages: Sequence[object], **_: object) -> Reply:
        first = (TokenAlternative(token="yes", logprob=-0.1),)
        return Reply(text=self.text, model="m", generator=self.name, first_token=first)


class _Form(Model):
    label: str


def asked(text: str) -> Asked:
    return ask(Thinker(text), load_prompt("raw"), QUERY, purpose="answer", settings=Settings())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (f"{THOUGHT}\n\nThe mayor.", "\n\nThe mayor."),
        (f"\n{THOUGHT.upper()}The mayor.", "The mayor."),
        ("It was <think> he.</think>The mayor.", "The mayor."),
        ("It was he, I believe.\n</think>\nThe mayor.", "\nThe mayor."),
        (f"{THOUGHT}{THOUGHT}The mayor.", "The mayor."),
        ("<reasoning>He?</reasoning>The mayor.", "The mayor."),
        ("<think>Was it", ""),
        (f"{THOUGHT}<think>Was it", ""),
        (THOUGHT, ""),
        ("I think the mayor.", "I think the mayor."),
        ("The mayor <think> resigned.", "The mayor <think> resigned."),
    ],
)
def test_thoughts_are_taken_away(reply: str, said: str) -> None:
    assert without_thoughts(reply) == said


def test_what_is_said_is_used_and_all_of_the_reply_is_recorded() -> None:
    with run_context() as run:
        found = asked(f"{THOUGHT}The mayor.")
    assert found.text == "The mayor."
    assert found.first_token == {}
    assert found.error is None
    assert run.calls[0].reply == f"{THOUGHT}The mayor."
    with recorded_replies(run.calls):
        assert asked("Nobody.") == found


def test_reply_without_thoughts_keeps_its_first_token() -> None:
    assert asked("yes").first_token == {"yes": -0.1}


def test_thoughts_alone_are_a_failure_and_no_finding() -> None:
    with run_context() as run:
        found = asked("<think>Was it the mayor")
    assert found.reply is None
    assert found.error is not None
    assert found.error.reason == "empty"
    assert run.calls[0].reply == "<think>Was it the mayor"
    assert run.calls[0].failure is not None
    with recorded_replies(run.calls):
        again = asked("Nobody.")
    assert (again.reply, str(again.error)) == (None, str(found.error))


def test_object_behind_thoughts_is_read() -> None:
    generator = Thinker('<think>{"label": "wrong"}</think>\n{"label": "right"}')
    replied = ask_for_object(generator, load_prompt("raw"), QUERY, _Form, settings=Settings())  # type: ignore[arg-type]
    assert replied.value == _Form(label="right")
    assert replied.notices == ()
