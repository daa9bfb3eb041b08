"""A page comes back from the archive as it was fetched."""

import gzip
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import InputError
from scraper.extraction.workers.tasks import PageTask
from scraper.state.archive import make_record, make_reference, read_page

URL = "https://www.example.org/a"
PAGE = b"<p>Hello</p>"
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 12\r\n\r\n" + PAGE
OLDER = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:12345678-feed-1234-5678-1234567890ab>\r\n"
    b"WARC-Target-URI: https://www.example.org/a\r\nWARC-Date: 2025-01-01T12:00:00Z\r\n"
    b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n" % (len(HTTP), HTTP)
)
"""As earlier versions wrote it, without the fraction of the second."""


def archived(tmp_path, record):
    (tmp_path / "a.warc.gz").write_bytes(record)
    return read_page(tmp_path, make_reference(Path("a.warc.gz"), 0))


@pytest.mark.parametrize("microsecond", [0, 1, 123_456])
def test_a_page_comes_back_with_the_moment_at_which_it_was_fetched(tmp_path, microsecond):
    fetched_at = datetime(2025, 1, 1, 12, 0, 0, microsecond, tzinfo=UTC)
    page = archived(tmp_path, make_record(PageTask(URL, PAGE, (("Content-Type", "text/html"),), fetched_at)))
    assert (page.url, page.content, page.fetched_at) == (URL, PAGE, fetched_at)


@pytest.mark.parametrize("field", ["Link", "X-\u00d0", "Content-Disposition"])
def test_a_page_is_archived_whatever_bytes_its_header_fields_hold(tmp_path, field):
    value = "<https://www.example.org/\u00d0\u00bd>; rel=next; title=50%".encode().decode("latin-1")
    headers = ((field, value), ("Content-Type", "text/html; charset=koi8-r"))
    page = archived(tmp_path, make_record(PageTask(URL, PAGE, headers, datetime(2025, 1, 1, tzinfo=UTC))))
    assert page.content == PAGE
    assert page.headers["Content-Type"] == "text/html; charset=koi8-r"


def test_a_record_of_an_earlier_version_can_be_read(tmp_path):
    page = archived(tmp_path, gzip.compress(OLDER))
    assert (page.url, page.content, page.fetched_at) == (URL, PAGE, datetime(2025, 1, 1, 12, tzinfo=UTC))


LONG = random.Random(4).randbytes(60_000)
RECORD = make_record(PageTask(URL, LONG, (("Content-Type", "text/html"),), datetime(2025, 1, 1, tzinfo=UTC)))
DAMAGED = {
    "cut off": RECORD[:30_000],
    "cut off, another behind": RECORD[:30_000] + RECORD,
    "cut off, zeros behind": RECORD[:30_000] + bytes(40_000),
    "zeros alone": bytes(60_000),
    "zeros within": RECORD[:30_000] + bytes(100) + RECORD[30_100:],
    "one byte": RECORD[:30_000] + bytes([RECORD[30_000] ^ 255]) + RECORD[30_001:],
    "text": b"no record\r\n" * 100,
    "nothing": b"",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_record_is_an_input_error(tmp_path, name):
    assert archived(tmp_path, RECORD).content == LONG
    with pytest.raises(InputError, match="holds no page at"):
        archived(tmp_path, DAMAGED[name])


def test_older_record_without_digest_that_was_cut_off_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="holds no page at"):
        archived(tmp_path, gzip.compress(OLDER[:-8]))
