"""Every pipeline of ours can be written down by Haystack and read again: settings, models, generators and all."""

import json
from pathlib import Path

import pytest
from haystack import Pipeline

from core.errors import ConfigError
from core.paths import CONFIGS
from core.settings import Settings, load_settings
from indexing.documents import article_documents
from indexing.stores.open import open_store
from pipelines.engine import Engine
from pipelines.entailment.chat_label import ChatLabelVerifier
from pipelines.generation.openai_compatible import OpenAICompatibleGenerator
from pipelines.pipeline_file import ALLOWED_MODULES, build_pipeline, read_pipeline_file
from tests.sample_articles import make_article

NAMES = sorted(path.stem for path in (CONFIGS / "pipelines").glob("*.yaml"))
KEY = "sk-none-of-your-business"
SERVER = {"generator": "openai", "generator_url": "http://127.0.0.1:9/v1", "generator_model": "m"}


def choices(name: str) -> list[dict[str, str]]:
    """Return choices for a pipeline file, so that each component that it offers is taken once."""
    offered = {choice["setting"]: list(choice["of"]) for choice in read_pipeline_file(name).choices.values()}
    most = max((len(values) for values in offered.values()), default=1)
    return [{setting: values[min(at, len(values) - 1)] for setting, values in offered.items()} for at in range(most)]


def with_index(settings: Settings) -> None:
    store = open_store(settings, must_exist=False)
    article = make_article("bridge")
    with store.writer() as writer:
        writer.put(article, article_documents(article))
    store.close()


def made(name: str, chosen: dict[str, str], settings: Settings) -> Pipeline:
    engine = Engine(settings)
    slots = engine.resources.slots() | {"runner": lambda: engine}
    return build_pipeline(read_pipeline_file(name), settings.model_dump(mode="json") | chosen, slots=slots)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    found = load_settings({"data_dir": str(tmp_path), "threads": "1", "top_k": "7"} | SERVER, environment={})
    with_index(found)
    return found


@pytest.mark.parametrize(("name", "chosen"), [(name, chosen) for name in NAMES for chosen in choices(name)], ids=str)
def test_a_pipeline_survives_yaml(name: str, chosen: dict[str, str], settings: Settings) -> None:
    pipeline = made(name, chosen, settings)
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=ALLOWED_MODULES)
    before, after = pipeline.to_dict(), again.to_dict()
    assert after["components"] == before["components"]
    assert sorted(map(str, after["connections"])) == sorted(map(str, before["connections"]))
    for part, component in pipeline.walk():
        if hasattr(component, "settings"):
            assert again.get_component(part).settings == settings


def test_the_file_of_a_pipeline_holds_no_secret_and_is_read_with_that_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOKSY_GENERATOR_API_KEY", KEY)
    settings = load_settings({"data_dir": str(tmp_path)} | SERVER)
    with_index(settings)
    written = made("verify", choices("verify")[0] | {"generator": "openai"}, settings).dumps()
    assert KEY not in written
    again = Pipeline.loads(written, allowed_modules=ALLOWED_MODULES)
    assert again.get_component("self_verifier").settings == settings
    generator = again.get_component("generator").generator
    generator.warm_up()
    assert generator._client.api_key == KEY


def test_a_model_file_is_written_down_and_read_again(tmp_path: Path) -> None:
    file = {"generator": "llama.cpp", "generator_model": str(tmp_path / "small.gguf"), "data_dir": str(tmp_path)}
    settings = load_settings(file, environment={})
    with_index(settings)
    pipeline = made("verify", choices("verify")[0] | {"generator": "llama.cpp"}, settings)
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=ALLOWED_MODULES)
    assert again.to_dict()["components"] == pipeline.to_dict()["components"]
    assert again.get_component("generator").generator.name == "llama.cpp:small"


def test_a_key_that_came_from_nowhere_is_not_written_down() -> None:
    generator = OpenAICompatibleGenerator(url="http://127.0.0.1:9/v1", model="m", api_key=KEY)
    with pytest.raises(ValueError, match="environment variable"):
        generator.to_dict()


def test_a_secret_in_a_pipeline_file_is_refused(tmp_path: Path) -> None:
    data = {"type": "core.settings.Settings", "init_parameters": {"generator_api_key": KEY}}
    with pytest.raises(ConfigError, match="generator_api_key is a secret") as caught:
        Settings.from_dict(data)
    assert "LOOKSY_GENERATOR_API_KEY" in str(caught.value.hint)
    assert KEY not in str(caught.value)


def test_a_verifier_that_asks_a_chat_model_is_written_down_with_it(settings: Settings) -> None:
    generator = OpenAICompatibleGenerator(url="http://127.0.0.1:9/v1", model="m", timeout_s=3)
    written = json.dumps(ChatLabelVerifier(generator, settings).to_dict())
    assert '"timeout_s": 3' in written
    assert '"top_k": 7' in written
