"""Keys as they come out of files: with a line break behind them, or spoilt."""

import pytest
from pydantic import SecretStr

from core.errors import ConfigError
from core.keys import header_key


@pytest.mark.parametrize("key", ["s3cret\n", "s3cret\r\n", " s3cret ", "s3cret"])
def test_blanks_around_a_key_are_left_out(key: str) -> None:
    assert header_key(SecretStr(key), field="store_api_key") == "s3cret"


@pytest.mark.parametrize("key", [None, SecretStr(""), SecretStr(" \n")])
def test_blanks_alone_are_no_key(key: SecretStr | None) -> None:
    assert header_key(key, field="search_api_key") is None


@pytest.mark.parametrize("key", ["s3cret\nx", "s3cret\x00", "s3cret\u2019"])
def test_a_key_that_no_header_holds_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        header_key(SecretStr(key), field="store_api_key")
    assert caught.value.field == "store_api_key"
    assert "LOOKSY_STORE_API_KEY" in (caught.value.hint or "")
    assert "s3cret" not in f"{caught.value.message} {caught.value.hint}"
