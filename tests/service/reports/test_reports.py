"""Proof: a run or check as one file, in every form."""

import csv
import gzip
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator

from core.errors import InputError
from core.settings import Settings
from core.types import Article, Request, Result
from core.urls import content_hash
from scraper.state.archive import archive_path, make_record, make_reference
from service.answers.runs import Runs
from service.cli.main import app
from service.desk import Check, CheckPatch, Desk, Reviewer
from service.reports import ReportFormat, ReportSource, write_report
from service.reports.rows import COLUMNS
from service.reports.wacz import surt
from service.state.database import FILE_NAME, Database
from tests.service.fakes import BODY, make_result

HOSTILE = '=HYPERLINK("https://evil.example","x")<script>alert(1)</script>'
ASKED = "81 people died in Samoa."
HEADLINE = "Samoa lifts state of emergency"
PAGE = b"<!doctype html><title>Samoa</title><p>81 people had lost their lives."
ADDRESS = "https://news.example/samoa?b=2&a=1"


class Task:
    """A page as the crawler hands it to the archive."""

    url, status, content = ADDRESS, 200, PAGE
    headers = (("Content-Type", "text/html; charset=utf-8"), ("Set-Cookie", "secret=1"))
    fetched_at = datetime(2019, 12, 30, 12, 0, 1, tzinfo=UTC)
    further = ()


def make_article(data_dir: Path) -> Article:
    """Return the quoted revision, its page archived behind another one."""
    path = archive_path("example", "crawl1")
    (data_dir / path).parent.mkdir(parents=True)
    record = make_record(Task())  # type: ignore[arg-type]
    (data_dir / path).write_bytes(record + record)
    return Article(
        article_id="a" * 16,
        url="https://news.example/samoa",
        headline=HEADLINE,
        body=BODY,
        first_seen_at=datetime(2019, 12, 30, tzinfo=UTC),
        source="Example News",
        content_hash=content_hash(HEADLINE, BODY),
        raw_ref=make_reference(path, len(record)),
    )


def make_answer(**changes: Any) -> Result:
    """Return an answer whose quote stands in the article, with a conflict in its record."""
    result = make_result(Request(text=ASKED, kind="statement"), run_id="run1", **changes)
    document = result.model_dump()
    for quote in document["references"][0]["quotes"]:
        quote["content_hash"] = content_hash(HEADLINE, BODY)
        conflict = {"kind": "number", "stated": "80", "found": "81", "alone": True}
        document["run"]["verdict_inputs"] = {"evidence": [{"text": quote["text"], "conflicts": [conflict]}]}
    return Result.model_validate(document)


@pytest.fixture
def source(settings: Settings) -> Iterator[ReportSource]:
    database = Database(settings.data_dir / FILE_NAME)
    Runs(database, keep=10).save(result := make_answer())
    desk = Desk(database)
    check, _ = desk.add(result.run_id, who=Reviewer("Ann"))
    decision = {"verdict": "refuted", "reason_code": "wrong_detail", "comment": HOSTILE}
    patch = CheckPatch.model_validate({"note": HOSTILE, "state": "overridden", "decision": decision})
    check = desk.change(check.check_id, patch, who=Reviewer("Ben <b>"))
    article = make_article(settings.data_dir)
    yield ReportSource(
        result=result,
        check=check,
        history=tuple(desk.history(check.check_id)),
        articles={(article.article_id, article.content_hash): article},
        page="http://127.0.0.1:8000/runs/run1",
        data_dir=settings.data_dir,
    )
    database.close()


def text_of(source: ReportSource, form: ReportFormat) -> str:
    return write_report(source, form).content.decode("utf-8-sig")


def test_html_is_one_page_that_asks_nobody_and_runs_nothing(source: ReportSource) -> None:
    page = text_of(source, ReportFormat.HTML)
    assert not re.search(r"<(script|iframe|img|link|object|form)\b", page)
    assert not re.search(r"\b(src|srcset|on\w+)=", re.sub(r"&[^;]+;", "", page).replace("alert(1)", ""))
    assert "default-src 'none'" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "Ben &lt;b&gt;" in page
    assert "@media print" in page


@pytest.mark.parametrize("form", [ReportFormat.HTML, ReportFormat.MARKDOWN])
def test_people_read_what_was_decided_and_what_the_machine_says(source: ReportSource, form: ReportFormat) -> None:
    text = text_of(source, form)
    assert text.index("efuted") < text.index("erified")
    for needed in (
        "81 people had lost their lives",
        "https://news.example/samoa",
        "stated 80, found 81",
        content_hash(HEADLINE, BODY),
        "A number, date, name or place differs",
        "overridden",
        "m1",
        "p1",
    ):
        assert needed in text, needed
    assert "<script>" not in text


def test_a_changed_check_says_so(source: ReportSource) -> None:
    changed = ReportSource(result=source.result, check=source.check.model_copy(update={"changed": True}))  # type: ignore[union-attr]
    for form in (ReportFormat.HTML, ReportFormat.MARKDOWN):
        assert "The evidence has changed since" in text_of(changed, form)


def test_json_holds_all_of_it(source: ReportSource) -> None:
    document = json.loads(text_of(source, ReportFormat.JSON))
    assert document["verdict"] == "refuted"
    assert Result.model_validate(document["result"]) == source.result
    assert Check.model_validate(document["check"]) == source.check
    assert [entry["action"] for entry in document["history"]] == ["created", "overridden"]
    (article,) = document["articles"]
    assert (article["is_indexed"], article["content_hash"]) == (True, content_hash(HEADLINE, BODY))


def test_csv_has_a_row_a_quote_and_no_formula(source: ReportSource) -> None:
    content = write_report(source, ReportFormat.CSV).content
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    (row,) = rows
    assert tuple(row) == COLUMNS
    assert (row["verdict"], row["machine_verdict"], row["state"]) == ("refuted", "verified", "overridden")
    assert row["quote"] == "81 people had lost their lives"
    assert row["conflicts"] == "number: stated 80, found 81"
    assert row["comment"] == f"'{HOSTILE}"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1"])
def test_no_text_becomes_a_formula(text: str) -> None:
    result = make_result(Request(text=text + " people died"), references=(), articles_supporting=0)
    rows = csv.DictReader(io.StringIO(text_of(ReportSource(result=result), ReportFormat.CSV), newline=""))
    assert next(iter(rows))["claim"].startswith("'")


def test_claim_review_is_of_the_decision(source: ReportSource) -> None:
    review = json.loads(text_of(source, ReportFormat.CLAIM_REVIEW))
    assert review["reviewRating"]["alternateName"] == "refuted"
    assert review["claimReviewed"] == ASKED


def test_an_answer_without_a_check_is_a_report_too(source: ReportSource) -> None:
    bare = ReportSource(result=source.result)
    assert "no person has decided" in text_of(bare, ReportFormat.HTML)
    assert json.loads(text_of(bare, ReportFormat.JSON))["check"] is None
    assert "no longer in the archive" in text_of(bare, ReportFormat.MARKDOWN)


def test_wacz_holds_the_page_as_it_was_crawled(source: ReportSource) -> None:
    file = write_report(source, ReportFormat.WACZ)
    assert file.name.endswith(".wacz")
    with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
        stored = {info.filename for info in archive.infolist() if info.compress_type == zipfile.ZIP_STORED}
    check_package(files)
    assert {"archive/pages.warc.gz", "indexes/index.cdx"} <= stored
    key, stamp, fields = files["indexes/index.cdx"].decode().strip().split(" ", 2)
    entry = json.loads(fields)
    assert (key, stamp) == ("example,news)/samoa?a=1&b=2", "20191230120001000")
    warc = files["archive/pages.warc.gz"]
    start, length = int(entry["offset"]), int(entry["length"])
    assert b"WARC-Target-URI: " + ADDRESS.encode() in gzip.decompress(warc[start : start + length])
    records = list(iterate(warc))
    assert [kind for kind, *_ in records] == ["warcinfo", "response"]
    assert records[1][1:] == (ADDRESS, PAGE)
    assert entry["digest"] == f"sha256:{hashlib.sha256(PAGE).hexdigest()}"
    head, page = (json.loads(line) for line in files["pages/pages.jsonl"].decode().splitlines())
    assert head["format"] == "json-pages-1.0"
    assert (page["url"], page["title"]) == (ADDRESS, HEADLINE)
    assert page["contentHash"] == source.result.references[0].quotes[0].content_hash
    assert b"secret=1" not in gzip.decompress(warc[start:])


def check_package(files: dict[str, bytes]) -> None:
    """Hold a WACZ to the specification: every file is listed with its hash and size, and the list has a digest."""
    package = json.loads(files["datapackage.json"])
    assert package["profile"] == "data-package"
    assert package["wacz_version"] == "1.1.1"
    listed = {resource["path"]: resource for resource in package["resources"]}
    assert set(listed) == set(files) - {"datapackage.json", "datapackage-digest.json"}
    for path, resource in listed.items():
        assert resource["hash"] == f"sha256:{hashlib.sha256(files[path]).hexdigest()}"
        assert resource["bytes"] == len(files[path])
        assert re.fullmatch(r"[a-z0-9._-]+", resource["name"])
    assert len({resource["name"] for resource in package["resources"]}) == len(listed)
    digest = json.loads(files["datapackage-digest.json"])
    assert digest == {
        "path": "datapackage.json",
        "hash": f"sha256:{hashlib.sha256(files['datapackage.json']).hexdigest()}",
    }


def iterate(warc: bytes) -> Iterator[tuple[str, str | None, bytes]]:
    for record in ArchiveIterator(io.BytesIO(warc), check_digests="raise"):
        yield record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read()


def test_without_an_archived_page_there_is_no_wacz(source: ReportSource) -> None:
    with pytest.raises(InputError, match="none of the quoted pages is archived"):
        write_report(ReportSource(result=source.result), ReportFormat.WACZ)
    next(source.data_dir.rglob("*.warc.gz")).write_bytes(b"damaged")  # type: ignore[union-attr]
    with pytest.raises(InputError, match="the archive holds no page"):
        write_report(source, ReportFormat.WACZ)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.Example.com/", "com,example)/"),
        ("http://www2.example.com:8080/A?z=1&b=%20x", "com,example:8080)/a?b=+x&z=1"),
        ("https://example.com", "com,example)/"),
    ],
)
def test_keys_of_addresses(url: str, key: str) -> None:
    assert surt(url) == key


def test_rest_writes_each_form(client: TestClient, source: ReportSource) -> None:
    check_id = source.check.check_id  # type: ignore[union-attr]
    for form, media_type in {
        "html": "text/html",
        "md": "text/markdown",
        "json": "application/json",
        "csv": "text/csv",
        "claimreview": "application/ld+json",
    }.items():
        for path in (f"/v1/checks/{check_id}/report", "/v1/runs/run1/report"):
            reply = client.get(path, params={"format": form})
            assert reply.status_code == 200, reply.text
            assert reply.headers["content-type"].startswith(media_type)
            assert check_id in reply.headers["content-disposition"]
    refused = client.get(f"/v1/checks/{check_id}/report", params={"format": "wacz"})
    assert (refused.status_code, refused.json()["field"]) == (422, "format")
    assert client.get("/v1/checks/nobody/report").status_code == 404
    assert client.get(f"/v1/checks/{check_id}/report?format=pdf").status_code == 422


def test_the_command_writes_a_file_by_its_ending(source: ReportSource, settings: Settings, tmp_path: Path) -> None:
    def run(*arguments: str) -> Any:
        return CliRunner().invoke(app, ["report", *arguments, "--data-dir", str(settings.data_dir)])

    check_id, out = source.check.check_id, tmp_path / "new" / "proof.html"  # type: ignore[union-attr]
    assert run(check_id, "--out", str(out)).exit_code == 0
    assert "<!doctype html>" in out.read_text(encoding="utf-8")
    assert "Decided by people" in run("run1").stdout
    assert run("run1", "--format", "json").stdout.startswith("{")
    unknown = run("run1", "--out", str(tmp_path / "x.pdf"))
    assert unknown.exit_code == 2
    assert "--format" in unknown.stderr
    assert run("nowhere").exit_code == 2
