"""The references in docs/reference are those that the code makes."""

import pytest

from tests.reference import FOLDER, pages


@pytest.mark.skipif(not FOLDER.is_dir(), reason="docs are part of the checkout only")
def test_the_references_are_as_the_code_makes_them() -> None:
    made = pages()
    assert {path.name for path in FOLDER.iterdir()} == set(made)
    old = [name for name, text in made.items() if (FOLDER / name).read_text(encoding="utf-8") != text]
    assert not old, f"{', '.join(old)}: run 'python -m tests.reference'"


def test_routes_tell_the_scope_of_their_key() -> None:
    rows = pages()["routes.md"].splitlines()
    scopes = {row.split("|")[1].strip(" `"): row.split("|")[2].strip() for row in rows if row.startswith("| `")}
    assert scopes["GET /healthz"] == "none"
    assert scopes["GET /v1/systems"] == "read"
    assert scopes["POST /v1/verify"] == "run"
    assert scopes["PATCH /v1/checks/{check_id}"] == "review"
    assert scopes["DELETE /v1/runs"] == "admin"
