"""The next search by plain code: built from what the evidence has not covered yet."""

from collections.abc import Collection, Sequence

from pipelines.reading.windows import sentences_of
from pipelines.systems.agent.claim_facets import Part, PartKind, covers, matter_of, parts_of

_ASKS = {
    PartKind.WHO: "",
    PartKind.WHAT: "",
    PartKind.WHEN: "when",
    PartKind.WHERE: "where",
    PartKind.HOW_MANY: "how many",
}


class Plan:
    """
    What is left to search for.

    :param claim: As it was typed.
    """

    def __init__(self, claim: str) -> None:
        self.claim = claim
        self.parts = parts_of(claim)
        self._covered: set[Part] = set()
        self._tried: set[str] = set()

    def read(self, passages: Collection[tuple[str, str]]) -> bool:
        """
        Take note of which parts the found passages cover.

        :param passages: Headline and text of each; a sentence is read behind its headline.
        :returns: Whether they cover a part that nothing covered before.
        """
        sentences = [
            f"{headline}. {text[start:end]}" for headline, text in passages for start, end in sentences_of(text)
        ]
        new = {part for part in self.open_parts() if any(covers(part, self.claim, sentence) for sentence in sentences)}
        self._covered |= new
        return bool(new)

    def open_parts(self) -> tuple[Part, ...]:
        """Return the parts that nothing covers yet."""
        return tuple(part for part in self.parts if part not in self._covered)

    def next(self) -> tuple[str, str] | None:
        """
        Return the next query and what it is for.

        :returns: The claim itself first; then one query a part that is not covered, each once; None: nothing is left.
        """
        if not self._tried:
            self._tried.add(self.claim)
            return self.claim, "the claim"
        for part in self.open_parts():
            for query in _queries(part, self.claim, self.parts):
                if query not in self._tried:
                    self._tried.add(query)
                    return query, f"{part.kind.value}: {part.text}"
        return None


def _queries(part: Part, claim: str, parts: Sequence[Part]) -> list[str]:
    """Write queries for a part: with the names of the claim, and with what it is about."""
    named = [one.text for one in parts if one.kind in {PartKind.WHO, PartKind.WHERE} and one.text != part.text]
    matter = matter_of(claim)
    own = part.text if part.kind is not PartKind.WHAT else ""
    first = " ".join([*named, matter]) if part.kind is PartKind.WHAT else " ".join([own, matter])
    second = " ".join([_ASKS[part.kind], *named, matter])
    return [query for query in dict.fromkeys((" ".join(first.split()), " ".join(second.split()))) if query]
