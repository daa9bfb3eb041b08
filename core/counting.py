"""Numbers with their nouns, in English."""


def counted(number: int, noun: str) -> str:
    """Write "1 article", "2 articles"."""
    return f"{number} {noun}{'s' * (number != 1)}"
