"""API keys as the headers of a request hold them."""

from pydantic import SecretStr

from core.errors import ConfigError


def header_key(key: SecretStr | None, *, field: str) -> str | None:
    """
    Return a key without the blanks around it: one that comes out of a file often ends with a line break.

    :param field: The setting that holds it.
    :returns: None: there is none.
    :raises ConfigError: If no header can hold it. The transport's own error would repeat it to readers and in records.
    """
    text = key.get_secret_value().strip() if key is not None else ""
    if not (text.isascii() and text.isprintable()):
        raise ConfigError(
            f"{field} holds a line break, a control character or a letter beyond ASCII, which no key has",
            field=field,
            hint=f"Set LOOKSY_{field.upper()} to the key alone.",
        )
    return text or None
