"""Keys, scopes, rates and foreign origins."""

import html
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from core.errors import RateLimitError
from core.settings import Settings
from core.types import Failure
from service.app import create_app
from service.auth.access import COOKIE, is_loopback, needs_keys
from service.auth.keys import Keys, Scope
from service.auth.rate_limit import Rates
from service.state.database import FILE_NAME, Database
from service.state.jobs import JobKind, Jobs, JobStatus
from tests.service.fakes import FakeAsker

QUERY = {"text": "How many died?"}
HTML = {"accept": "text/html"}


@pytest.fixture
def public(settings: Settings) -> Settings:
    return settings.model_copy(update={"host": "0.0.0.0", "rate_per_minute": 5})


@pytest.fixture
def outside(public: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(public, asker=FakeAsker()), base_url="https://looksy.example") as client:
        yield client


def key(settings: Settings, scope: Scope) -> dict[str, str]:
    _, text = Keys(Database(settings.data_dir / FILE_NAME)).create("test", scope=scope)
    return {"authorization": f"Bearer {text}"}


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("10.0.0.7", False)],
)
def test_keys_are_needed_wherever_others_can_reach(host: str, expected: bool, settings: Settings) -> None:
    assert is_loopback(host) is expected
    assert needs_keys(settings.model_copy(update={"host": host})) is not expected
    assert needs_keys(settings.model_copy(update={"host": host, "require_keys": True}))


def test_every_route_but_health_needs_a_key(outside: TestClient) -> None:
    document = outside.get("/openapi.json").json()
    for path, methods in document["paths"].items():
        for method in methods:
            status = outside.request(method, path.replace("{", "").replace("}", ""), json={}).status_code
            assert (status in {200, 503}) if path in {"/healthz", "/readyz"} else (status == 401), (
                method,
                path,
                status,
            )
    refused = outside.post("/v1/verify", json=QUERY)
    assert refused.headers["www-authenticate"] == "Bearer"
    assert refused.json()["code"] == "unauthorised"


def test_scopes_are_held(outside: TestClient, public: Settings) -> None:
    reader, runner, admin = (key(public, scope) for scope in (Scope.READ, Scope.RUN, Scope.ADMIN))
    assert outside.get("/v1/systems", headers=reader).status_code == 200
    assert outside.post("/v1/verify", json=QUERY, headers=reader).json()["code"] == "forbidden"
    assert outside.post("/v1/verify", json=QUERY, headers=runner).status_code == 200
    assert outside.get("/v1/feedback", headers=runner).status_code == 403
    assert outside.get("/v1/feedback", headers=admin).status_code == 200
    assert outside.get("/v1/systems", headers={"authorization": "Bearer looksy_x_y"}).status_code == 401


def test_why_a_job_failed_is_told_to_operators_alone(outside: TestClient, public: Settings) -> None:
    jobs = Jobs(Database(public.data_dir / FILE_NAME))
    job_id = jobs.create(JobKind.INDEX, {}).job_id
    jobs.finish(job_id, JobStatus.FAILED, error=Failure(code="store_unusable", message="/srv/secret: bad", hint="/srv"))
    read, admin = key(public, Scope.READ), key(public, Scope.ADMIN)
    for address in ("/v1/jobs", f"/v1/jobs/{job_id}"):
        told = outside.get(address, headers=read).text
        assert "/srv" not in told
        assert "store_unusable" in told
        assert f"under job {job_id}" in told
        assert "/srv/secret: bad" in outside.get(address, headers=admin).text


def test_an_approval_names_the_key(outside: TestClient, public: Settings) -> None:
    admin = key(public, Scope.ADMIN)
    run_id = outside.post("/v1/verify", json=QUERY | {"kind": "statement"}, headers=admin).json()["run_id"]
    approved = outside.put(f"/v1/runs/{run_id}/approval", json={"approved_by": "Ada"}, headers=admin).json()
    assert approved["approved_by"] == "Ada"
    assert approved["key"] == f"{admin['authorization'].split('_')[1]}, test"
    review = outside.get(f"/v1/runs/{run_id}/claim-review", headers=admin)
    assert review.json()["author"]["name"] == "Ada"  # the key's name is not published


def test_a_key_has_a_rate(outside: TestClient, public: Settings) -> None:
    outside.app.state.looksy.rates.clock = lambda: 0.0
    reader, other = key(public, Scope.READ), key(public, Scope.READ)
    statuses = [outside.get("/v1/systems", headers=reader).status_code for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    refused = outside.get("/v1/systems", headers=reader)
    assert 1 <= int(refused.headers["retry-after"]) <= 12
    assert outside.get("/v1/systems", headers=other).status_code == 200


def test_a_bucket_fills_again() -> None:
    now = 0.0
    rates = Rates(60, clock=lambda: now)
    for _ in range(60):
        rates.take("key")
    with pytest.raises(RateLimitError) as refused:
        rates.take("key")
    assert refused.value.retry_after == 1
    now = 1.0
    rates.take("key")


def test_pages_of_other_sites_cannot_act(client: TestClient) -> None:
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
        assert client.post("/v1/verify", json=QUERY, headers=headers).status_code == 403
    assert client.post("/v1/verify", json=QUERY, headers={"origin": "http://127.0.0.1"}).status_code == 200
    preflight = client.options("/v1/verify", headers={"origin": "https://evil.example"})
    assert "access-control-allow-origin" not in preflight.headers


def test_people_sign_in_with_a_key(outside: TestClient, public: Settings) -> None:
    page = outside.get("/", headers={"accept": "text/html"})
    assert page.status_code == 401
    assert "API key" in page.text
    text = key(public, Scope.RUN)["authorization"].removeprefix("Bearer ")
    wrong = outside.post("/sign-in", data={"key": "looksy_a_b"}, headers={"accept": "text/html"})
    assert wrong.status_code == 401
    assert "This key is not valid." in wrong.text
    assert "This key is not valid." not in page.text
    signed = outside.post("/sign-in", data={"key": text}, follow_redirects=False)
    cookie = signed.headers["set-cookie"]
    assert {"HttpOnly", "Secure", "SameSite=lax"} <= {part.strip() for part in cookie.split(";")}
    assert outside.get("/", headers={"accept": "text/html"}).status_code == 200


def test_who_signed_in_can_sign_out(outside: TestClient, public: Settings) -> None:
    text = key(public, Scope.READ)["authorization"].removeprefix("Bearer ")
    assert "Sign out" not in outside.get("/", headers=HTML).text
    page = outside.post("/sign-in", data={"key": text}, headers=HTML)
    assert (page.status_code, page.url.path) == (200, "/")
    assert '<form method="post" action="/sign-out">' in page.text
    page = outside.post("/sign-out", headers=HTML)
    assert (page.status_code, page.url.path) == (401, "/")
    assert page.history[0].headers["clear-site-data"] == '"cache"'


def test_nobody_signs_out_where_no_key_is_needed(client: TestClient) -> None:
    client.cookies.set(COOKIE, "looksy_a_b")
    assert "Sign out" not in client.get("/", headers=HTML).text


def test_a_key_with_too_small_a_scope_can_be_exchanged_for_another(outside: TestClient, public: Settings) -> None:
    reader, runner = (key(public, scope)["authorization"].removeprefix("Bearer ") for scope in (Scope.READ, Scope.RUN))
    outside.post("/sign-in", data={"key": reader}, headers=HTML)
    refused = outside.post("/", data=QUERY, headers=HTML)
    assert refused.status_code == 403
    assert "This key is for read; this needs run." in refused.text
    assert 'action="/sign-in"' in refused.text
    foreign = outside.post("/", data=QUERY, headers=HTML | {"origin": "https://evil.example"})
    assert foreign.status_code == 403
    assert 'action="/sign-in"' not in foreign.text
    outside.post("/sign-in", data={"key": runner}, headers=HTML)
    assert outside.post("/", data=QUERY, headers=HTML, follow_redirects=False).status_code == 303


def test_signing_in_leads_on_to_the_page_that_was_asked_for(outside: TestClient, public: Settings) -> None:
    text = key(public, Scope.RUN)["authorization"].removeprefix("Bearer ")
    place = "/runs/run-1?part=2&thanks=1"
    for page in (
        outside.get(place, headers={"accept": "text/html"}),
        outside.post("/sign-in", data={"key": "looksy_a_b", "place": place}, headers={"accept": "text/html"}),
    ):
        assert page.status_code == 401
        assert f'name="place" value="{html.escape(place)}"' in page.text
    signed = outside.post("/sign-in", data={"key": text, "place": place}, follow_redirects=False)
    assert (signed.status_code, signed.headers["location"]) == (303, place)


@pytest.mark.parametrize(
    "place",
    [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "\t//evil.example",
        " //evil.example",
        "/x\r\nSet-Cookie: a=b",
        "javascript:alert(1)",
        "evil.example",
        "@evil.example",
        "",
    ],
)
def test_signing_in_leads_to_no_other_site(outside: TestClient, public: Settings, place: str) -> None:
    text = key(public, Scope.RUN)["authorization"].removeprefix("Bearer ")
    page = outside.post("/sign-in", data={"key": "looksy_a_b", "place": place}, headers={"accept": "text/html"})
    assert 'name="place" value="/"' in page.text
    signed = outside.post("/sign-in", data={"key": text, "place": place}, follow_redirects=False)
    assert (signed.status_code, signed.headers["location"]) == (303, "/")


def test_a_locked_address_that_names_another_host_is_not_gone_on_to(outside: TestClient) -> None:
    page = outside.get("https://looksy.example//evil.example", headers={"accept": "text/html"})
    assert 'value="//' not in page.text
