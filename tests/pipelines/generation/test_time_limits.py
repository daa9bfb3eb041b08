"""Where a model server is set up for the service, a fallback must come before the service gives the request up."""

import pytest
import yaml

from core.paths import ROOT
from core.settings import Settings, load_settings

LEFT_S = 15
"""For all but the model."""


@pytest.mark.parametrize("profile", ["embedded", "server"])
def test_the_profile_leaves_time_for_the_fallback(profile: str) -> None:
    settings = load_settings({"profile": profile}, environment={})
    assert settings.generator_timeout + LEFT_S <= settings.request_timeout


def test_the_compose_file_leaves_time_for_the_fallback() -> None:
    file = ROOT / "docker-compose.yml"
    if not file.is_file():
        pytest.skip("docker-compose.yml is part of the checkout only")
    given = yaml.safe_load(file.read_text(encoding="utf-8"))["services"]["api-gpu"]["environment"]
    assert float(given["LOOKSY_GENERATOR_TIMEOUT"]) + LEFT_S <= Settings.model_fields["request_timeout"].default
