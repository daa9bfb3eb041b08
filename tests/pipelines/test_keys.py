"""Keys of model servers and search engines as they come out of files: with a line break behind them, or spoilt."""

import pytest

from core.errors import ConfigError
from core.settings import GeneratorKind, load_settings
from pipelines.generation.open_generator import open_generator
from pipelines.systems.agent.backends.contract import Search
from pipelines.systems.agent.backends.http import BraveBackend, SearxngBackend
from tests.chat_server import ChatServer
from tests.pipelines.systems.agent.search_server import SearchServer

SPOILT = ["s3cret\nx", "s3cret\x00", "s3cret\u2019"]


@pytest.mark.parametrize("blanks", ["{}\n", "{}\r\n", " {} ", "{}"])
def test_blanks_around_a_key_are_not_sent(blanks) -> None:
    key = blanks.format("s3cret")
    with ChatServer("Yes.") as server:
        flags = {"generator_url": server.url, "generator_model": "m"}
        settings = load_settings(flags, environment={"LOOKSY_GENERATOR_API_KEY": key})
        generator = open_generator(settings, GeneratorKind.OPENAI)
        assert generator is not None
        generator.complete(({"role": "user", "content": "Is it?"},), max_tokens=5, seed=0)
        generator.close()
    assert server.keys == ["Bearer s3cret"]
    with SearchServer([]) as server:
        settings = load_settings({"search_url": server.url}, environment={"LOOKSY_SEARCH_API_KEY": key})
        for backend in (SearxngBackend(settings), BraveBackend(settings)):
            backend.search(Search(query="bridge", limit=1))
    assert server.keys == ["Bearer s3cret", "s3cret"]


@pytest.mark.parametrize("key", SPOILT)
@pytest.mark.parametrize("field", ["generator_api_key", "generator_fallback_api_key", "search_api_key"])
def test_a_key_that_no_header_holds_is_refused_and_not_repeated(key, field) -> None:
    flags = {"generator_url": "http://h/v1", "generator_model": "m", "search_url": "http://h"}
    if field == "generator_fallback_api_key":
        flags["generator_fallback_url"] = "http://other/v1"
    settings = load_settings(flags, environment={f"LOOKSY_{field.upper()}": key})
    makers = {
        "generator_api_key": [lambda: open_generator(settings, GeneratorKind.OPENAI)],
        "generator_fallback_api_key": [lambda: open_generator(settings, GeneratorKind.OPENAI, second=True)],
        "search_api_key": [lambda: SearxngBackend(settings), lambda: BraveBackend(settings)],
    }
    for make in makers[field]:
        with pytest.raises(ConfigError) as caught:
            make()
        assert caught.value.field == field
        assert f"LOOKSY_{field.upper()}" in (caught.value.hint or "")
        assert "s3cret" not in f"{caught.value.message} {caught.value.hint}"
