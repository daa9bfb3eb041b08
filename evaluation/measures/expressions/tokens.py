"""An expression, cut into tokens."""

import re
from enum import Enum

from core.errors import InputError
from core.types import Model


class Kind(Enum):
    """What a token is."""

    AND = "AND"
    OR = "OR"
    NOT = "NOT"
    OPEN = "("
    CLOSE = ")"
    FIELD = "field"
    PHRASE = "phrase"
    WORD = "word"
    END = "end"


class Token(Model):
    """One token with its place in the expression."""

    kind: Kind
    text: str
    position: int


_PATTERN = re.compile(
    r'\s*(?:(?P<open>\()|(?P<close>\))|"(?P<phrase>[^"]*)"(?P<star>\*?)|(?P<field>[A-Za-z_]+):(?=\S)|(?P<word>[^\s()"]+))'
)
_OPERATORS = {"AND": Kind.AND, "OR": Kind.OR, "NOT": Kind.NOT}


def expression_error(expression: str, position: int, problem: str) -> InputError:
    """Make an error that shows where in an expression it is."""
    return InputError(
        f"the expression {expression!r} is wrong at character {position + 1}: {problem}",
        field="expression",
        hint='Write terms with AND, OR, NOT between, for instance: Samoa* AND (measles OR "red flag")',
    )


def tokenise(expression: str) -> list[Token]:
    """
    Cut an expression into tokens, with an END token last.

    :raises InputError: For a quotation mark without its partner.
    """
    tokens: list[Token] = []
    position = 0
    text = expression.rstrip()
    while position < len(text):
        match = _PATTERN.match(text, position)
        if match is None:
            raise expression_error(expression, position, "a quotation mark without its partner")
        tokens.append(_token(match))
        position = match.end()
    return [*tokens, Token(kind=Kind.END, text="", position=len(text))]


def _token(match: re.Match[str]) -> Token:
    if match["open"]:
        return Token(kind=Kind.OPEN, text="(", position=match.start("open"))
    if match["close"]:
        return Token(kind=Kind.CLOSE, text=")", position=match.start("close"))
    if match["phrase"] is not None:
        return Token(kind=Kind.PHRASE, text=match["phrase"] + match["star"], position=match.start("phrase") - 1)
    if match["field"]:
        return Token(kind=Kind.FIELD, text=match["field"].lower(), position=match.start("field"))
    kind = _OPERATORS.get(match["word"], Kind.WORD)
    return Token(kind=kind, text=match["word"], position=match.start("word"))
