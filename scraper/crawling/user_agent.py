"""Who asks: a name, a version, and where the owner of the crawler can be reached."""

from core import __version__
from scraper.crawling.robots_text import PRODUCT


def user_agent(contact: str) -> str:
    """Return the User-Agent field."""
    return f"{PRODUCT}/{__version__} (+{contact})"
