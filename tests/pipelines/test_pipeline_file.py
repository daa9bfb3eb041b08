"""Pipeline files that name component types as they were called before."""

import importlib
import warnings
from typing import Any

import pytest
import yaml
from haystack import component

from pipelines import pipeline_file
from pipelines.pipeline_file import build_pipeline, read_pipeline_file

OLD: dict[str, Any] = {
    "components": {"guard": {"type": "pipelines.components.guard.InstructionGuard", "init_parameters": {}}},
    "connections": [],
    "choices": {
        "retriever": {
            "setting": "retriever",
            "of": {"bm25": {"type": "pipelines.components.retrievers.bm25.Bm25Retriever", "init_parameters": {}}},
        }
    },
}


def test_old_component_types_load_with_a_warning(tmp_path) -> None:
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(OLD), encoding="utf-8")
    with pytest.warns(FutureWarning, match="guard.InstructionGuard is now pipelines.injection.guard.InstructionGuard"):
        file = read_pipeline_file("mine", folder=tmp_path)
    pipeline = build_pipeline(file, {"retriever": "bm25"})
    assert {type(made).__name__ for _, made in pipeline.walk()} == {"InstructionGuard", "Bm25Retriever"}


@pytest.mark.parametrize("new", pipeline_file._MOVED.values())
def test_every_old_type_leads_to_a_component(new: str) -> None:
    module, _, _ = new.rpartition(".")
    importlib.import_module(f"pipelines.{module}")
    assert f"pipelines.{new}" in component.registry


@pytest.mark.parametrize("name", ["verify", "lateral", "lateral_answer", "agent", "perspectives", "counter"])
def test_our_own_files_use_the_names_of_today(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_pipeline_file(name)
