"""What REST takes and gives beyond the words of `core.types`."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, create_model
from pydantic.json_schema import WithJsonSchema

from core.types import MAX_QUERY_CHARS, QueryKind
from service.schemas import inlined

MAX_NAME_CHARS = 200
DateText = Annotated[str, Field(max_length=40, description="A day or an ISO 8601 time.", examples=["2020-01-31"])]
Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_CHARS)]


MAX_DEPTH = 5
"""Of what `options` hold."""


def _shallow(value: dict[str, Any]) -> dict[str, Any]:
    layer: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        layer = [inner for one in layer if isinstance(one, dict | list) for inner in _inside(one)]
    if layer:
        raise ValueError(f"at most {MAX_DEPTH} levels are accepted")
    return value


def _inside(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


Options = Annotated[dict[str, Any], AfterValidator(_shallow)]


class Body(BaseModel):
    """Base of what clients send: unknown fields are refused, numbers are not made from strings."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class FiltersBody(Body):
    """Which articles may be evidence."""

    published_from: DateText | None = None
    published_to: DateText | None = None
    sources: Annotated[list[Name], Field(max_length=100)] = []
    sections: Annotated[list[Name], Field(max_length=100)] = []
    languages: Annotated[list[Name], Field(max_length=100)] = []


class QueryBody(Body):
    """A question or a statement to check."""

    text: str = Field(
        max_length=MAX_QUERY_CHARS,
        description=f"A question or a statement, 1 to {MAX_QUERY_CHARS} characters.",
        examples=["Samoa lifted its state of emergency in December 2019."],
    )
    kind: QueryKind | None = Field(None, description="question or statement; none: seen from the text.", strict=False)
    as_of: DateText | None = Field(None, description="Only what was known by then is evidence.")
    filters: FiltersBody = Field(default_factory=FiltersBody)
    top_k: int | None = Field(None, ge=1, le=100, description="Passages to read.")
    blind: bool = Field(False, description="Show no earlier fact-checks beside the answer.")
    options: Options = Field(default_factory=dict, description="Options of the system, see GET /v1/systems.")


class SystemBody(BaseModel):
    """A thing that can be asked for."""

    name: str
    title: str
    summary: str
    path: str
    """Where to POST a query."""
    options: dict[str, Any]
    """JSON schema of its options."""


class ErrorBody(BaseModel):
    """The body of every error."""

    code: str = Field(description="Stable, for machines.", examples=["invalid_input"])
    message: str = Field(description="One sentence for a person.", examples=["text is empty"])
    field: str | None = Field(None, description="The field at fault.", examples=["text"])
    hint: str | None = Field(None, description="What to do next.", examples=["Type a question or a statement."])
    request_id: str = Field(description="Names the request in the log.", examples=["6f1c2a…"])


class PartBody(BaseModel):
    """One part of the service and whether it can be used."""

    name: str
    ready: bool
    message: str | None = None
    hint: str | None = None


class ReadyBody(BaseModel):
    """Whether the service can answer."""

    ready: bool
    parts: list[PartBody]


class HealthBody(BaseModel):
    """The process is alive."""

    status: str = "ok"
    version: str


def body_for(name: str, options_schema: dict[str, Any], *, max_chars: int = MAX_QUERY_CHARS) -> type[QueryBody]:
    """Make the request body of one system: a `QueryBody` with the system's longest text and schema of `options`."""
    title = "".join(part.title() for part in name.replace("-", "_").split("_"))
    options = Annotated[
        Options,
        WithJsonSchema(inlined(options_schema) or {"type": "object"}),
    ]
    text = Field(
        max_length=max_chars,
        description=f"1 to {max_chars} characters.",
        examples=["Samoa lifted its state of emergency in December 2019."],
    )
    return create_model(
        f"{title}Query",
        __base__=QueryBody,
        __doc__=QueryBody.__doc__,
        text=(str, text),
        options=(options, Field(default_factory=dict)),
    )
