"""Reading pages from files that others made: within bounds, and one damaged file or record costs only itself."""

import gzip
import io
import os
import zipfile
import zlib
from datetime import UTC, datetime
from pathlib import Path

import brotli
import pytest

from core.errors import InputError
from scraper.archives import captures, warc
from scraper.archives.page_source import PageSource
from tests.scraper.archives.archive_files import DAY, record, wacz
from tests.scraper.crawling.playsite import HOME, article_page

PAGE = article_page("/news/one")


def read(path: Path) -> tuple[list[str], dict[str, int], list[str]]:
    source = PageSource(path)
    addresses = [capture.url for capture in source]
    return addresses, dict(source.skipped), source.problems


def test_pages_of_a_warc_file_are_read_with_their_times(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(
        record(f"{HOME}/news/one", PAGE)
        + record(f"{HOME}/logo.png", b"\x89PNG", media_type="image/png")
        + record(f"{HOME}/news/two", PAGE, status="404 Not Found")
        + record(f"{HOME}/news/three", PAGE, kind="resource", media_type="text/html")
        + record("dns:www.example.org", "192.0.2.1", kind="resource", media_type="text/dns")
    )
    (first, second), source = list(PageSource(file)), PageSource(file)
    assert (first.url, first.content.decode(), first.captured_at) == (f"{HOME}/news/one", PAGE, DAY)
    assert second.url == f"{HOME}/news/three"
    assert len(list(source)) == 2
    assert source.skipped == {"http_404": 1}


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("br", brotli.compress),
        ("gzip", lambda content: content),
        ("gzip, br", lambda content: brotli.compress(gzip.compress(content))),
    ],
)
def test_content_encodings_are_undone(encoding, pack, tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(record(f"{HOME}/news/one", pack(PAGE.encode()), encoding=encoding))
    assert [capture.content.decode() for capture in PageSource(file)] == [PAGE]


def test_uncompressed_and_arc_like_names_are_read(tmp_path: Path) -> None:
    file = tmp_path / "A.WARC"
    file.write_bytes(gzip.decompress(record(f"{HOME}/news/one", PAGE)) + gzip.decompress(record(f"{HOME}/b", PAGE)))
    assert read(file)[0] == [f"{HOME}/news/one", f"{HOME}/b"]


def test_page_that_unpacks_to_more_than_a_page_may_have_is_skipped(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(warc, "MAX_PAGE_BYTES", 100_000)
    bomb = gzip.compress(b"<p>x</p>" * 4_000_000)
    file = tmp_path / "a.warc.gz"
    file.write_bytes(
        record(f"{HOME}/bomb", bomb, encoding="gzip")
        + record(f"{HOME}/long", "x" * 200_000)
        + record(f"{HOME}/news/one", PAGE)
    )
    addresses, skipped, problems = read(file)
    assert addresses == [f"{HOME}/news/one"]
    assert skipped == {"too_large": 2}
    assert problems == []
    assert captures.MAX_PAGE_BYTES < 32_000_000


def test_record_with_another_digest_is_skipped(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    wrong, odd = "sha1:" + "A" * 32, "crc32:0000"
    file.write_bytes(record(f"{HOME}/a", PAGE, digest=wrong) + record(f"{HOME}/b", PAGE, digest=odd))
    assert read(file)[:2] == ([f"{HOME}/b"], {"wrong_digest": 1})


def test_digest_of_the_decoded_page_counts(tmp_path: Path) -> None:
    import hashlib

    digest = "sha-256:" + hashlib.sha256(PAGE.encode()).hexdigest()
    file = tmp_path / "a.warc.gz"
    file.write_bytes(record(f"{HOME}/a", gzip.compress(PAGE.encode()), encoding="gzip", digest=digest))
    assert read(file)[0] == [f"{HOME}/a"]


def test_header_without_end_is_a_problem_and_no_memory(tmp_path: Path) -> None:
    file = tmp_path / "b.warc"
    file.write_bytes(b"WARC/1.0\r\nWARC-Type: response\r\nX: " + b"y" * 2_000_000)
    (tmp_path / "a.warc.gz").write_bytes(record(f"{HOME}/a", PAGE))
    addresses, _, (problem,) = read(tmp_path)
    assert addresses == [f"{HOME}/a"]
    assert "a header has more than 256 KB" in problem


def test_file_that_breaks_off_gives_what_stands_before(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(record(f"{HOME}/a", PAGE) + record(f"{HOME}/b", PAGE)[:-200])
    addresses, _, (problem,) = read(file)
    assert addresses == [f"{HOME}/a"]
    assert str(file) in problem


@pytest.mark.parametrize("content", [b"", b"no archive at all\n" * 50, b"\x1f\x8b\x08\x00broken"])
def test_only_file_that_is_no_archive_is_one_error(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"a\.warc\.gz"):
        read(file)


def test_wacz_file_is_read_and_a_zip_without_archive_is_an_error(tmp_path: Path) -> None:
    made = wacz(tmp_path / "a.wacz", record(f"{HOME}/a", PAGE), record(f"{HOME}/b", PAGE))
    assert read(made)[0] == [f"{HOME}/a", f"{HOME}/b"]
    with pytest.raises(InputError, match="holds no WARC file"):
        read(wacz(tmp_path / "b.wacz", b"x", name="readme.txt"))
    (tmp_path / "c.wacz").write_bytes(b"no zip")
    with pytest.raises(InputError, match=r"c\.wacz"):
        read(tmp_path / "c.wacz")


def test_names_within_a_wacz_file_are_never_paths(tmp_path: Path) -> None:
    made = wacz(tmp_path / "a.wacz", record(f"{HOME}/a", PAGE), name="../../escaped.warc.gz")
    assert read(made)[0] == [f"{HOME}/a"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.wacz"]


def test_encrypted_member_is_a_problem_of_its_own(tmp_path: Path) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as bundle:
        bundle.writestr("archive/a.warc.gz", record(f"{HOME}/a", PAGE))
    content = bytearray(target.getvalue())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1
    (tmp_path / "a.wacz").write_bytes(content)
    with pytest.raises(InputError, match=r"a\.wacz.*password"):
        read(tmp_path / "a.wacz")


def test_saved_pages_tell_their_addresses_in_many_ways(tmp_path: Path) -> None:
    bare = PAGE.replace(f'<link rel="canonical" href="{HOME}/news/one">', "")
    files = {
        "edge.html": f"<!-- saved from url=(0030)https://edge.example/a -->{bare}",
        "single.htm": "<!doctype html><html><!--\n Page saved with SingleFile \n url: https://single.example/a\n"
        f" saved date: Wed Mar 06 2024 14:30:00 GMT+0100 (CET)\n-->{bare}",
        "plain.html": PAGE,
        "www.mirror.example/news/c.html": bare,
        "nowhere.html": bare,
        "mail.mhtml": "From: <Saved by Blink>\nSnapshot-Content-Location: https://mht.example/a\nDate: Wed, 6 Mar 2024"
        ' 13:00:00 -0000\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\n'
        f"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{bare}\n--x--\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (DAY.timestamp(), DAY.timestamp()))
    (tmp_path / "packed.html.gz").write_bytes(gzip.compress(PAGE.replace("/news/one", "/news/packed").encode()))
    source = PageSource(tmp_path)
    times = {capture.url: capture.captured_at for capture in source}
    assert set(times) == {
        "https://edge.example/a", "https://single.example/a", f"{HOME}/news/one", f"{HOME}/news/packed",
        "https://mht.example/a", "https://www.mirror.example/news/c.html",
    }  # fmt: skip
    assert source.skipped == {"no_address": 1}
    assert times["https://single.example/a"] == datetime(2024, 3, 6, 13, 30, tzinfo=UTC)
    assert times["https://mht.example/a"] == datetime(2024, 3, 6, 13, tzinfo=UTC)
    assert times["https://edge.example/a"] == DAY


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.html"
    outside.write_text(PAGE, encoding="utf-8")
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "link.html").symlink_to(outside)
    with pytest.raises(InputError, match="holds neither a web archive nor a saved page"):
        PageSource(folder)


@pytest.mark.parametrize("name", ["missing", "notes.txt"])
def test_path_with_nothing_to_read_is_an_error_that_says_what_to_give(name: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        PageSource(tmp_path / name)
    assert caught.value.field == "from_warc"
    assert "Give a .warc" in (caught.value.hint or "")
