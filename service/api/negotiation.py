"""Which form of an answer a client asks for."""

MARKDOWN = "text/markdown"
JSON = "application/json"
HTML = "text/html"


def preferred(accept: str, offered: tuple[str, ...]) -> str:
    """
    Choose a media type (RFC 9110 §12.5.1).

    :param accept: The Accept header.
    :param offered: In our order of preference; the first is the answer where the client has none.
    :returns: The offered type with the highest quality; the more exact range wins over a wildcard.
    """
    best, best_quality = offered[0], 0.0
    ranges = [_parse(part) for part in accept.split(",") if part.strip()]
    for media_type in offered:
        quality = _quality(media_type, ranges)
        if quality > best_quality:
            best, best_quality = media_type, quality
    return best


def _quality(media_type: str, ranges: list[tuple[str, float]]) -> float:
    family = media_type.split("/", maxsplit=1)[0] + "/*"
    for wanted in (media_type, family, "*/*"):
        for name, quality in ranges:
            if name == wanted:
                return quality
    return 0.0


def _parse(part: str) -> tuple[str, float]:
    name, *parameters = [piece.strip().lower() for piece in part.split(";")]
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return name, float(parameter.removeprefix("q="))
            except ValueError:
                return name, 0.0
    return name, 1.0
