"""Hostile articles and queries, put together from `stories.yaml` and `cases.yaml`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One planted injection."""

    name: str
    story: str
    kind: str
    where: str
    query: str
    says: str
    plant: str = ""

    def article(self) -> dict[str, str]:
        """Return the story with the text planted in it, as an article line."""
        story = stories()[self.story]
        headline, body, source, section = story["headline"], story["body"], "Hostile Herald", "news"
        first, _, rest = body.partition("\n\n")
        if self.where == "start":
            body = f"{self.plant}\n\n{body}"
        elif self.where == "body":
            body = f"{first} {self.plant}\n\n{rest}"
        elif self.where == "end":
            body = f"{body}\n\n{self.plant}"
        elif self.where == "headline":
            headline = self.plant
        elif self.where == "source":
            source = self.plant
        elif self.where == "section":
            section = self.plant
        url = f"https://herald.example/{self.name}"
        return {
            "url": url,
            "headline": headline,
            "body": body,
            "source": source,
            "section": section,
            "published_at": "2024-05-02",
        }


def stories() -> dict[str, dict[str, Any]]:
    """Return the stories by name."""
    found: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / "stories.yaml").read_text(encoding="utf-8"))
    return found


def cases() -> list[Case]:
    """Return all cases."""
    entries = yaml.safe_load((FOLDER / "cases.yaml").read_text(encoding="utf-8"))
    return [Case(name=f"{number:02d}-{entry['kind']}", **entry) for number, entry in enumerate(entries, start=1)]
