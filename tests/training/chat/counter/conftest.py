import pytest

from core.settings import load_settings
from pipelines.resources import Resources


@pytest.fixture(scope="session")
def settings(tmp_path_factory):
    return load_settings({"data_dir": tmp_path_factory.mktemp("data"), "threads": 1}, environment={})


@pytest.fixture(scope="session")
def resources(settings):
    """The shipped models, which judge."""
    return Resources(settings)
