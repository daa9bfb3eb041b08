"""The page of a checked text, without a browser."""

import time

import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from tests.service.checks.samples import TEXT, FakeAnswerer


class _Asker(FakeAnswerer):
    def warm_up(self):
        pass

    def close(self):
        pass


@pytest.fixture
def client(settings):
    with TestClient(create_app(settings, asker=_Asker()), base_url="http://127.0.0.1") as opened:
        yield opened


def _checked(client, text=TEXT):
    reply = client.post("/check", data={"text": text}, headers={"Origin": "http://127.0.0.1"}, follow_redirects=False)
    assert reply.status_code == 303, reply.text
    for _ in range(200):
        page = client.get(reply.headers["location"])
        if 'data-running="no"' in page.text:
            return reply.headers["location"], page.text
        time.sleep(0.05)
    raise AssertionError("the check did not end")


def test_a_text_in_the_address_fills_the_form_and_starts_nothing(client):
    for path in ("/check?text=The+ferry+sank.", "/?text=The+ferry+sank."):
        page = client.get(path)
        assert page.status_code == 200
        assert ">The ferry sank.</textarea>" in page.text


def test_a_text_is_checked_and_marked_without_javascript(client):
    _, page = _checked(client)
    assert page.count('class="claim refuted"') == 1
    assert 'href="#c1"' in page
    assert 'id="c1"' in page
    assert "&lt;b&gt;The port of Ostrava has 40 cranes." in page
    assert "<script>alert" not in page


def test_what_cannot_be_checked_keeps_what_was_typed(client):
    reply = client.post("/check", data={"text": "word " * 20_001}, headers={"Origin": "http://127.0.0.1"})
    assert reply.status_code == 422
    assert "20,001 words" in reply.text
    assert reply.text.count("word ") >= 20_000


@pytest.mark.parametrize(
    ("ending", "kind"),
    [("html", "text/html"), ("md", "text/markdown"), ("csv", "text/csv"), ("json", "application/json")],
)
def test_the_reports_can_be_taken(client, ending, kind):
    place, _ = _checked(client)
    reply = client.get(f"{place}.{ending}")
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith(kind)


def test_the_form_takes_a_text_of_any_length_without_cutting_it(client):
    assert "maxlength" not in client.get("/check").text.split("<textarea")[1].split(">")[0]


def test_a_claim_is_put_on_the_desk_from_the_page(client):
    place, page = _checked(client)
    assert f'action="{place}/claims/c2/desk"' in page
    reply = client.post(f"{place}/claims/c2/desk", headers={"Origin": "http://127.0.0.1"}, follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, f"{place}#c2")
    page = client.get(place).text
    assert "On the desk: open" in page
    assert f'action="{place}/claims/c2/desk"' not in page
    assert "ClaimReview" not in page
    (check,) = client.get("/v1/checks").json()
    client.patch(f"/v1/checks/{check['check_id']}", json={"state": "approved"})
    assert f'href="/v1{place}/claim-review"' in client.get(place).text


def test_a_text_too_long_for_one_query_is_offered_to_the_page_of_whole_texts_uncut(client):
    text = "The ferry sank in 1958. " * 200
    for reply in (
        client.get("/", params={"text": text}),
        client.post("/", data={"text": text}, headers={"Origin": "http://127.0.0.1"}),
    ):
        assert "maxlength" not in reply.text.split("<textarea")[1].split(">")[0]
        assert text.strip() in reply.text
        offer = reply.text.split('id="whole-text"')[1].split("</div>")[0]
        assert 'formaction="/check"' in offer
        assert "hidden" not in offer.split(">")[0]
    short = client.get("/", params={"text": "The ferry sank."}).text
    assert "hidden" in short.split('id="whole-text"')[1].split(">")[0]
