"""Query parameters that a route does not know are refused, as fields of a body are: a misspelt filter filters none."""

from fastapi import Request

from core.errors import InputError


def check_parameters(request: Request) -> None:
    """
    Refuse what a route that takes query parameters does not know.

    :raises InputError: If there is such a one.
    """
    given = list(request.query_params)
    known = _known(request) if given else []
    for name in given:
        if known and name not in known:
            raise InputError(
                f"{name[:40]} is not a known parameter", field=name[:40], hint=f"Use one of: {', '.join(known)}."
            )


def _known(request: Request) -> list[str]:
    """Return the names of the query parameters of a request's route, as they are described."""
    methods = request.app.openapi()["paths"].get(request.scope["route"].path, {})
    described = methods.get(request.method.lower(), {}).get("parameters", [])
    return [one["name"] for one in described if one["in"] == "query"]
