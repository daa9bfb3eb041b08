"""From the text of an expression to something that matches articles."""

import re

from evaluation.measures.expressions.document import FIELDS, TEXT_FIELDS, words
from evaluation.measures.expressions.nodes import And, DatePrefix, DateRange, Node, Not, Or, Phrase
from evaluation.measures.expressions.tokens import Kind, Token, expression_error, tokenise

MAX_DEPTH = 50
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_RANGE = re.compile(rf"({_DATE.pattern})\.\.({_DATE.pattern})")
_BEGINNING = re.compile(r"\d{1,4}\*|\d{4}-\d{0,2}\*|\d{4}-\d{2}-\d{0,2}\*")


def parse_expression(expression: str) -> Node:
    """
    Parse an expression of the language in `evaluation.measures.expressions`.

    :raises InputError: With the place of the first mistake.
    """
    parser = _Parser(expression)
    node = parser.disjunction(TEXT_FIELDS, 0)
    parser.expect_end()
    return node


class _Parser:
    """Recursive descent over the tokens; `fields` are those that a term without field of its own looks in."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        self.tokens = tokenise(expression)
        self.at = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self, kind: Kind) -> bool:
        """Step over a token of this kind, if it is next."""
        if self.token.kind is not kind:
            return False
        self.at += 1
        return True

    def fail(self, problem: str) -> Exception:
        return expression_error(self.expression, self.token.position, problem)

    def expect_end(self) -> None:
        if self.token.kind is Kind.CLOSE:
            raise self.fail("a closing bracket without an opening one")
        if self.token.kind is not Kind.END:
            raise self.fail(f"AND or OR is missing before {self.token.text!r}")

    def disjunction(self, fields: tuple[str, ...], depth: int) -> Node:
        parts = [self.conjunction(fields, depth)]
        while self.take(Kind.OR):
            parts.append(self.conjunction(fields, depth))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def conjunction(self, fields: tuple[str, ...], depth: int) -> Node:
        parts = [self.negation(fields, depth)]
        while self.take(Kind.AND):
            parts.append(self.negation(fields, depth))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def negation(self, fields: tuple[str, ...], depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self.fail(f"nested more than {MAX_DEPTH} deep")
        if self.take(Kind.NOT):
            return Not(self.negation(fields, depth + 1))
        if self.take(Kind.OPEN):
            inner = self.disjunction(fields, depth + 1)
            if not self.take(Kind.CLOSE):
                raise self.fail(
                    "a bracket is not closed"
                    if self.token.kind is Kind.END
                    else f"AND or OR is missing before {self.token.text!r}"
                )
            return inner
        if self.token.kind is Kind.FIELD:
            name = self.token.text
            if name not in FIELDS:
                raise self.fail(f"{name} is not a field; the fields are {', '.join(FIELDS)}")
            self.at += 1
            return self.negation((name,), depth + 1)
        return self.term(fields)

    def term(self, fields: tuple[str, ...]) -> Node:
        token = self.token
        if token.kind not in {Kind.WORD, Kind.PHRASE}:
            what = "the expression ends" if token.kind is Kind.END else f"{token.text!r} stands"
            raise self.fail(f"{what} where a word, a phrase or a bracket is needed")
        if token.kind is Kind.WORD and fields == ("published",):
            node, fault = _date(token.text), "is neither a date nor a range, such as 2019, 2019-08* or 2019-08..2019-10"
        else:
            node, fault = _phrase(token.text, fields), "holds no word"
        if node is None:
            raise self.fail(f"{token.text!r} {fault}")
        self.at += 1
        return node


def _date(text: str) -> Node | None:
    if match := _RANGE.fullmatch(text):
        first, last = match[1], match[2]
        return DateRange(first=first, last=last) if first[: len(last)] <= last else None
    return DatePrefix(text.rstrip("*")) if _DATE.fullmatch(text) or _BEGINNING.fullmatch(text) else None


def _phrase(text: str, fields: tuple[str, ...]) -> Node | None:
    found = words(text)
    if not found:
        return None
    needle = " " + " ".join(found)
    return Phrase(needle=needle if text.endswith("*") else needle + " ", fields=fields)
