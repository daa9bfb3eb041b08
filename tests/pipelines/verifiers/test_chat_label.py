import pytest

from core.errors import GeneratorError
from core.settings import Settings
from pipelines.generators.openai_compatible import OpenAICompatibleGenerator
from pipelines.verifiers.chat_label import ChatLabelVerifier, read_label
from tests.chat_server import ChatServer, status


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('{"label": "supports"}', "supports"),
        ('Sure! ```json\n{"label": "refutes", "why": "x"}\n```', "refutes"),
        ("neither.", "neither"),
        ("It supports or refutes it", None),
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
