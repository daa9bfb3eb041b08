"""What a speaker says of themselves, said of them by name. English."""

import re

from pipelines.claims.rewriting import Step, quotes_masked

_FIRST = re.compile(
    r"\b(?:I(?:['’](?:m|ve|d|ll))?|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e(?:['’](?:re|ve|d|ll))?|us|[Oo]urs?|[Oo]urselves)\b"
)
"""In these capitals: US is a country."""
_YOU = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)


def name_speaker(text: str, speaker: str) -> Step:
    """Put the speaker's name in place of "I"; what "we" and "you" mean is not clear."""
    bare = quotes_masked(text)
    match = _FIRST.search(bare) or _YOU.search(bare)
    if match is None:
        return text, [], ""
    if not speaker or _YOU.fullmatch(match.group()) or match.group().lower() in {"we", "us", "our", "ours"}:
        return text, [], f"It does not say who “{match.group()}” is."
    return _in_third_person(text, speaker), [(match.group(), speaker)], ""


def _in_third_person(text: str, speaker: str) -> str:
    """Say for a speaker what they say of themselves."""
    for old, new in (
        (r"\bI['’]m\b|\bI am\b", f"{speaker} is"),
        (r"\bI['’]ve\b|\bI have\b", f"{speaker} has"),
        (r"\bI['’]d\b", f"{speaker} had"),
        (r"\bI['’]ll\b", f"{speaker} will"),
        (r"\bI do\b", f"{speaker} does"),
        (r"\bI was\b", f"{speaker} was"),
        (r"\bI\b", speaker),
        (r"\b[Mm]y\b|\b[Mm]ine\b", f"{speaker}'s"),
        (r"\bme\b|\bmyself\b", speaker),
    ):
        text = re.sub(old, new, text)
    return text
