"""Where settings come from, in which order, and what is refused."""

from pathlib import Path

import pytest

from core.errors import ConfigError
from core.paths import CONFIGS
from core.settings import Settings, load_settings, secret_names


def profile(folder: Path, text: str) -> str:
    path = folder / "profile.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_later_layers_win(tmp_path: Path) -> None:
    path = profile(tmp_path, "top_k: 11\nretriever: hybrid\nport: 1111\n")
    settings = load_settings({"profile": path, "port": 3333}, environment={"LOOKSY_TOP_K": "22", "LOOKSY_PORT": "2222"})
    assert (settings.retriever, settings.top_k, settings.port) == ("hybrid", 22, 3333)


def test_flags_that_were_not_given_change_nothing() -> None:
    assert load_settings({"top_k": None}, environment={"LOOKSY_TOP_K": "7"}).top_k == 7


def test_an_empty_variable_is_not_set() -> None:
    assert load_settings(environment={"LOOKSY_STORE_URL": ""}).store_url is None


@pytest.mark.parametrize("name", sorted(path.stem for path in (CONFIGS / "profiles").glob("*.yaml")))
def test_shipped_profiles_load(name: str) -> None:
    assert load_settings({"profile": name}, environment={}).profile == name


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("top_kk: 3", "top_kk"),
        ("top_k: many", "top_k"),
        ("top_k: 0", "top_k"),
        ("generator: parrot", "generator"),
        ("store_api_key: abc", "store_api_key"),
        ("- a list", "profile"),
        ("a: b: c", "profile"),
    ],
)
def test_a_bad_profile_names_the_setting(tmp_path: Path, text: str, field: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings({"profile": profile(tmp_path, text)}, environment={})
    assert caught.value.field == field
    assert caught.value.hint


@pytest.mark.parametrize("number", ["nan", "inf"])
@pytest.mark.parametrize("name", ["request_timeout", "generator_timeout", "store_timeout", "search_timeout"])
def test_a_time_without_end_is_refused(name: str, number: str) -> None:
    with pytest.raises(ConfigError, match=name) as caught:
        load_settings(environment={f"LOOKSY_{name.upper()}": number})
    assert caught.value.field == name


def test_a_misspelt_variable_is_refused_with_a_suggestion() -> None:
    with pytest.raises(ConfigError, match="LOOKSY_TOPK") as caught:
        load_settings(environment={"LOOKSY_TOPK": "3"})
    assert "top_k" in str(caught.value.hint)


def test_an_unknown_profile_names_those_that_are_there() -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings({"profile": "nope"}, environment={})
    assert "embedded" in str(caught.value.hint)


@pytest.mark.parametrize("where", ["profile", "variable", "flag"])
def test_a_tilde_is_the_home_folder(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "own.yaml").write_text("data_dir: ~/looksy\n")
    given = {"profile": {"profile": "~/own.yaml"}, "flag": {"data_dir": "~/looksy"}, "variable": {}}[where]
    environment = {"LOOKSY_DATA_DIR": "~/looksy"} if where == "variable" else {}
    assert load_settings(given, environment=environment).data_dir == tmp_path / "looksy"
    assert load_settings({"data_dir": "~nobody-here/x"}, environment={}).data_dir == Path("~nobody-here/x")


def test_secrets_are_never_public() -> None:
    values = {name: "https://hush-hush" if name.endswith("_url") else "hush-hush" for name in secret_names()}
    environment = {f"LOOKSY_{name.upper()}": value for name, value in values.items()}
    settings = load_settings(environment=environment)
    assert secret_names() >= {"store_api_key", "store_password", "generator_api_key"}
    assert "hush-hush" not in str(settings.public()) + repr(settings)


ADDRESSES = [name for name in Settings.model_fields if name.endswith("_url") and name not in secret_names()]
"""Those that are written to records; of a secret one see `tests/service/desk/test_webhook.py`."""


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize(
    "url",
    [
        "https://looksy:s3cret@llm.example/v1",
        "https://s3cret@llm.example",
        " HTTPS://:s3cret@[::1]:8000/v1",
        "looksy:s3cret@llm.example:8000/v1",
        "https://looksy:s3/c?r#et@llm.example/v1",
    ],
)
def test_a_login_in_an_address_is_refused_and_not_repeated(name: str, url: str, tmp_path: Path) -> None:
    file = profile(tmp_path, f"{name}: '{url}'\n")
    for flags, environment in (({name: url}, {}), ({}, {f"LOOKSY_{name.upper()}": url}), ({"profile": file}, {})):
        with pytest.raises(ConfigError) as caught:
            load_settings(flags, environment=environment)
        assert caught.value.field == name
        told = f"{caught.value.message} {caught.value.hint} {caught.value.__cause__} {caught.value.__context__}"
        assert "s3" not in told
        assert "_API_KEY" in told or "_HEADERS" in told


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:9200", "http://[::1]:8001/v1", "https://llm.example/v1/@cf/a:b", "https://a.example:80?q=a@b"],
)
def test_an_address_without_a_login_stays_as_it_is(name: str, url: str) -> None:
    assert load_settings({name: url}, environment={}).public()[name] == url


def test_every_setting_has_help() -> None:
    assert not [name for name, field in Settings.model_fields.items() if not field.description]
