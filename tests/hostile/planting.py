"""Hostile articles and queries, put together from `stories.yaml`, `cases.yaml` and `unforeseen.yaml`."""

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

    def article(self) -> dict[str, Any]:
        """Return the story with the text planted in it, as an article line."""
        story = stories()[self.story]
        fields: dict[str, Any] = {
            "url": f"https://herald.example/{self.name}",
            "headline": story["headline"],
            "body": self._body(story["body"]),
            "source": "Hostile Herald",
            "section": "news",
            "published_at": "2024-05-02",
        }
        if self.where in {"headline", "source", "section", "url"}:
            fields[self.where] = self.plant
        elif self.where == "authors":
            fields["authors"] = [self.plant]
        return fields

    def _body(self, body: str) -> str:
        first, _, rest = body.partition("\n\n")
        if self.where == "start":
            return f"{self.plant}\n\n{body}"
        if self.where == "body":
            return f"{first} {self.plant}\n\n{rest}"
        if self.where == "end":
            return f"{body}\n\n{self.plant}"
        if self.where == "twice":
            one, _, other = self.plant.partition("||")
            return f"{first} {one}\n\n{rest} {other}"
        return body


def stories() -> dict[str, dict[str, Any]]:
    """Return the stories by name."""
    found: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / "stories.yaml").read_text(encoding="utf-8"))
    return found


def cases() -> list[Case]:
    """Return all cases."""
    entries = [
        entry
        for file in ("cases.yaml", "unforeseen.yaml")
        for entry in yaml.safe_load((FOLDER / file).read_text(encoding="utf-8"))
    ]
    return [Case(name=f"{number:02d}-{entry['kind']}", **entry) for number, entry in enumerate(entries, start=1)]
