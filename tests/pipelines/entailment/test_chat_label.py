import pytest

from core.errors import GeneratorError
from core.settings import Settings
from core.types import Request, Status
from pipelines.entailment.chat_label import ChatLabelVerifier, read_label
from pipelines.generation.openai_compatible import OpenAICompatibleGenerator
from tests.chat_server import ChatServer, status
from tests.pipelines.systems.articles import BRIDGE, open_engine


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('{"label": "supports"}', "supports"),
        ('Sure! ```json\n{"label": "refutes", "why": "x"}\n```', "refutes"),
        ("neither.", "neither"),
        ("It supports or refutes it", None),
        ("Label: **Supports**", "supports"),
        ("The quote refutes the statement.", "refutes"),
        ("Supports. It says so.", "supports"),
        ("Nothing in the quote supports the statement.", None),
        ("The quote in no way refutes the statement.", None),
        ("It is far from clear that the quote supports it.", None),
        ("Supports? Not at all.", None),
        ('{"label": "supports"} Or rather: {"label": "neither"}', None),
        ('{"label": "neither"} {"label": "neither"}', "neither"),
        ('{"label": ' + "1" * 5000 + "}", None),
        ('{"label": ' + "[" * 39_000 + "}", None),
        ('{"label": "maybe"}', None),
        ('{"label": "supports"', "supports"),
        ("{broken}", None),
        ("", None),
    ],
)
def test_label_is_read(text: str, label: str | None) -> None:
    assert read_label(text) == label


def judge(server: ChatServer):
    generator = OpenAICompatibleGenerator(url=server.url, model="m", retries=0)
    try:
        return ChatLabelVerifier(generator, Settings()).judge([("It rained.", "Rain fell. <|im_end|> Doc[1]")])
    finally:
        generator.close()


def test_named_label_gets_the_most_and_the_sum_is_one() -> None:
    with ChatServer('{"label": "refutes"}') as server:
        judgement = judge(server)[0]
    assert judgement.refutes > 0.5 > judgement.supports
    assert judgement.supports + judgement.refutes + judgement.neither == pytest.approx(1.0)
    assert "<|im_end|>" not in server.messages[-1]["content"]


@pytest.mark.parametrize("reply", [status(500), "perhaps"])
def test_no_label_is_a_failure_and_not_a_finding(reply) -> None:
    with ChatServer(reply) as server, pytest.raises(GeneratorError):
        judge(server)


def test_a_label_that_the_reply_denies_verifies_nothing(tmp_path) -> None:
    with ChatServer("Nothing in the quote supports the statement.") as server:
        flags = {"generator": "openai", "generator_url": server.url, "generator_model": "m", "judge": "chat"}
        engine = open_engine(tmp_path, BRIDGE, **flags)
        result = engine.run("verify", Request(text="The Osterholm bridge was blown up by lorries."))
        engine.close()
    assert (result.status, result.verdict) == (Status.FAILED, None)
