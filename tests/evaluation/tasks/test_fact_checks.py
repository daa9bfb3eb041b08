"""`looksy evaluate retrieval --claims`: MAP@5 of texts against published fact-checks."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.cli.main import app

CLAIMS = [
    {"id": "1", "claim": "A shark swam on a flooded highway in Houston.", "title": "Shark on a highway"},
    {"id": "2", "claim": "The moon landing was filmed in a studio.", "title": ""},
    {"id": "3", "claim": "A bridge in Oslo collapsed and killed ten people.", "title": ""},
]
POSTS = [
    {"id": "a", "text": "OMG #shark on the Houston highway 😱 https://t.co/x", "relevant": ["1"]},
    {"id": "b", "text": "moon landing = studio film", "relevant": "2"},
]


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def evaluate(tmp_path: Path, data: Path) -> str:
    claims = write(tmp_path / "claims.jsonl", [*CLAIMS, {"claim": "No id."}])
    arguments = ["--data", str(data), "--claims", str(claims), "--data-dir", str(tmp_path / "var")]
    done = CliRunner().invoke(app, ["evaluate", "retrieval", *arguments, "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    return (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_lines_with_their_own_judgements_are_scored(tmp_path: Path) -> None:
    report = evaluate(tmp_path, write(tmp_path / "posts.jsonl", POSTS))
    (line,) = [line for line in report.splitlines() if line.startswith("| MAP@5")]
    assert "1.0" in line
    assert "1 fact-checks were refused" in report


@pytest.mark.parametrize("wrong", ["2", "3"])
def test_a_beir_folder_names_ids_of_fact_checks(tmp_path: Path, wrong: str) -> None:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    write(folder / "queries.jsonl", [{"_id": "a", "text": POSTS[0]["text"]}])
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\na\t{wrong}\t1\n", encoding="utf-8")
    report = evaluate(tmp_path, folder)
    (line,) = [line for line in report.splitlines() if line.startswith("| MAP@5")]
    assert "1.0" not in line
