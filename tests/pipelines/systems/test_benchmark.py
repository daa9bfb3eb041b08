import pytest

from core.types import Request
from evaluation.performance.systems import SHOWN, measure, open_sample, requests_for, transcript
from pipelines.systems.registry import systems
from tests.pipelines.systems.articles import BRIDGE, open_engine

CLAIM = "The repairs of the Osterholm bridge cost 95 million crowns."


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    engine = open_engine(tmp_path_factory.mktemp("benchmark"), BRIDGE)
    yield engine
    engine.close()


def test_every_system_has_requests_that_it_takes():
    for name, system in systems().items():
        requests = requests_for(name)
        assert len(requests) > 3
        assert all(len(request.text) <= system.info.max_chars for request in requests)
    assert set(SHOWN) <= set(systems())


def test_times_are_split_by_stage(small):
    times = measure(small, "counter", [Request(text=CLAIM)] * 2)
    assert (times.requests, times.failed, times.target_s) == (2, 0, 1.0)
    assert {"retrieve", "read", "check", "answer", "total"} <= set(times.stages_ms)
    assert times.median_cpu_s > 0


def test_transcripts_show_command_and_answer_with_headings_below_the_systems(small):
    text = transcript([small.run("counter", Request(text=CLAIM))])
    assert f'looksy ask --system counter "{CLAIM}"' in text
    assert "### Refuted" in text
    headings = [line for line in text.splitlines() if line.startswith(("# ", "## "))]
    assert headings == ["# Transcripts of the systems", "## counter"]


def test_an_empty_folder_gets_an_index_of_the_sample(tmp_path):
    engine = open_sample(tmp_path, judge="small")
    assert engine.settings.judge == "small"
    assert engine.resources.store().counts().articles > 400
    engine.close()
