import pytest

from core.errors import ConfigError
from pipelines.pipeline_file import build_pipeline, read_pipeline_file

BASE = """
components:
  guard: {type: pipelines.injection.guard.InstructionGuard, init_parameters: {}}
choices:
  generator:
    setting: generator
    of:
      extractive: {type: pipelines.generation.extractive.ExtractiveGenerator, init_parameters: {}}
connections:
  - {sender: guard.evidence, receiver: generator.evidence}
stages: {guard: read, generator: answer}
"""
OVER = """
extends: base
components:
  generator: {type: pipelines.generation.extractive.ExtractiveGenerator, init_parameters: {max_sentences: 2}}
  checker: {type: pipelines.attribution.citation_checker.CitationChecker, init_parameters: {}}
connections:
  - {sender: generator.draft, receiver: checker.draft}
stages: {checker: check}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "over.yaml").write_text(OVER)
    return tmp_path


def test_a_file_takes_over_what_it_does_not_replace(folder):
    file = read_pipeline_file("over", folder=folder)
    assert file.choices == {}
    assert set(file.stages) == {"guard", "generator", "checker"}
    pipeline = build_pipeline(file, {})
    assert {name for name, _ in pipeline.walk()} == {"guard", "generator", "checker"}
    assert pipeline.get_component("generator").max_sentences == 2


def test_the_hash_changes_with_the_file_below(folder):
    before = read_pipeline_file("over", folder=folder).content_hash
    (folder / "base.yaml").write_text(BASE + "\n# changed\n")
    assert read_pipeline_file("over", folder=folder).content_hash != before


def test_a_chain_and_a_missing_file_are_refused(folder):
    (folder / "third.yaml").write_text("extends: over\ncomponents: {}\nconnections: []\n")
    with pytest.raises(ConfigError, match="over extends a file itself"):
        read_pipeline_file("third", folder=folder)
    (folder / "lost.yaml").write_text("extends: nowhere\ncomponents: {}\nconnections: []\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_pipeline_file("lost", folder=folder)
