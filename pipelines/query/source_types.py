"""What kind of source an article is from, as the publisher files say."""

import functools
import logging

import yaml

from core.paths import CONFIGS
from core.urls import ascii_hostname

logger = logging.getLogger(__name__)


def source_type(url: str) -> str:
    """Return agency, broadcaster, national paper, ... ; empty: no publisher file names the host."""
    return _types_by_host().get(ascii_hostname(url), "")


@functools.cache
def _types_by_host() -> dict[str, str]:
    found = {}
    for path in sorted((CONFIGS / "publishers").glob("*.yaml")):
        try:
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
            found[ascii_hostname(data["home"])] = str(data["type"]).replace("_", " ")
        except (OSError, ValueError, yaml.YAMLError, KeyError, TypeError, AttributeError):
            logger.warning("a publisher file names no home and type", extra={"path": path.name})
    return found
