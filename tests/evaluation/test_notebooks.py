"""The notebooks run from top to bottom, and are committed with their outputs."""

import ast

import nbformat
import pytest
from nbclient import NotebookClient

from core.paths import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def code_cells(path):
    return [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]


def kinds_of_output(cell):
    return [sorted(output.get("data", {})) for output in cell.outputs if output.output_type != "stream"]


def test_there_are_three():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_with_a_plot_are_committed(path):
    outputs = [output for cell in code_cells(path) for output in cell.outputs]
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs)
    assert not any(output.output_type == "error" for output in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_defines_nothing(path):
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    for cell in code_cells(path):
        assert not [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, kinds)]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(path, 4)
    committed = [kinds_of_output(cell) for cell in code_cells(path)]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    resources = {"metadata": {"path": str(ROOT / "notebooks")}}
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources=resources).execute()
    made = [kinds_of_output(cell) for cell in notebook.cells if cell.cell_type == "code"]
    assert made == committed, "the outputs are of another version: jupyter execute --inplace notebooks/*.ipynb"
    assert any("image/svg+xml" in kinds for cell in made for kinds in cell)
