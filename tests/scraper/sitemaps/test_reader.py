"""Sitemaps as real sites serve them."""

import gzip
import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scraper.sitemaps.entries import parse_moment
from scraper.sitemaps.reader import SitemapKind, SitemapReader

BASE = "https://news.example/maps/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
IMAGE = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
NEWS = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'


def urlset(*locations: str, namespace: str = NS) -> str:
    entries = "".join(f"<url><loc>{location}</loc></url>" for location in locations)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {namespace}>{entries}</urlset>'


def read(content: bytes | str) -> tuple[list[str], SitemapReader]:
    reader = SitemapReader(content.encode() if isinstance(content, str) else content, BASE)
    return [entry.url for entry in reader], reader


TWO = ["https://news.example/1", "https://news.example/2"]
PLAIN = urlset(*TWO)
ODD_BUT_WHOLE = {
    "plain": PLAIN,
    "gzip": gzip.compress(PLAIN.encode()),
    "double gzip": gzip.compress(gzip.compress(PLAIN.encode())),
    "two gzip members": gzip.compress(PLAIN[:90].encode()) + gzip.compress(PLAIN[90:].encode()),
    "gzip with padding": gzip.compress(PLAIN.encode()) + b"\0" * 100,
    "byte-order mark": "\ufeff" + PLAIN,
    "UTF-16": PLAIN.replace("UTF-8", "UTF-16").encode("utf-16"),
    "UTF-16 without mark": PLAIN.replace("UTF-8", "UTF-16").encode("utf-16-le"),
    "UTF-16 declared, UTF-8 sent": PLAIN.replace("UTF-8", "UTF-16"),
    "unknown encoding": PLAIN.replace("UTF-8", "x-made-up"),
    "hex is no text encoding": PLAIN.replace("UTF-8", "hex"),
    "idna is no encoding of files": PLAIN.replace("UTF-8", "idna"),
    "punycode is no encoding of files": PLAIN.replace("UTF-8", "punycode"),
    "undefined encoding": PLAIN.replace("UTF-8", "undefined"),
    "UTF-32 declared, UTF-8 sent": PLAIN.replace("UTF-8", "UTF-32"),
    "leading blanks": "\n\n   " + PLAIN,
    "a warning before the XML": "Warning: mysql_connect() in line 3\n" + PLAIN,
    "a warning in HTML before the XML": "<br />\n<b>Notice</b>: Undefined index in <b>map.php</b><br />\n" + PLAIN,
    "no namespace": urlset(*TWO, namespace=""),
    "other namespace": urlset(*TWO, namespace='xmlns="http://www.google.com/schemas/sitemap/0.84"'),
    "no declaration": PLAIN.split("\n", 1)[1],
    "CDATA": urlset(*(f"<![CDATA[{url}]]>" for url in TWO)),
    "blanks around": urlset(*(f"\n   {url}\t\n" for url in TWO)),
    "relative": urlset("/1", "../2"),
    "control characters": PLAIN.replace("<url>", "\x0b<url>\x00"),
    "prefixed elements": PLAIN.replace("xmlns=", "xmlns:s=").replace("<url", "<s:url").replace("</url", "</s:url")
    .replace("<loc", "<s:loc").replace("</loc", "</s:loc"),
    "comments": PLAIN.replace("<url>", "<!-- <url><loc>https://news.example/no</loc></url> --><url>"),
    "external document type": PLAIN.replace("<urlset", '<!DOCTYPE urlset SYSTEM "http://evil.example/x.dtd">\n<urlset'),
    "text": "\n".join(TWO),
    "text with Windows line ends": "\r\n".join([*TWO, ""]),
    "text with byte-order mark": ("\ufeff" + "\n".join(TWO)),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD_BUT_WHOLE)
def test_odd_but_whole_sitemap_gives_all_addresses(name: str) -> None:
    urls, reader = read(ODD_BUT_WHOLE[name])
    assert urls == TWO
    assert reader.problems == []


def test_raw_ampersands_are_kept() -> None:
    urls, reader = read(urlset("/a?x=1&y=2&copy=3", "/b?x=1&amp;y=2", "<![CDATA[/c?x=1&y=2]]>", "/d?a&nbsp;b"))
    assert urls == [
        f"https://news.example{path}" for path in ("/a?x=1&y=2&copy=3", "/b?x=1&y=2", "/c?x=1&y=2", "/d?a&nbsp;b")
    ]
    assert not reader.problems


def test_image_and_alternate_never_replace_the_page() -> None:
    text = (
        f'<urlset {NS} {IMAGE} xmlns:xhtml="http://www.w3.org/1999/xhtml"><url>'
        "<image:image><image:loc>https://news.example/first.jpg</image:loc></image:image>"
        '<xhtml:link rel="alternate" hreflang="fr" href="/fr/1"/>'
        "<loc>https://news.example/1</loc></url>"
        "<url><image:image><image:loc>https://news.example/only.jpg</image:loc></image:image></url></urlset>"
    )
    reader = SitemapReader(text.encode(), BASE)
    (entry,) = list(reader)
    assert entry.url == TWO[0]
    assert entry.images == ("https://news.example/first.jpg",)
    assert entry.alternates == ("https://news.example/fr/1",)
    assert reader.skipped == 1


def test_undeclared_image_prefix_does_not_replace_the_page() -> None:
    text = "<urlset><url><image:image><image:loc>/i.jpg</image:loc></image:image><loc>/1</loc></url></urlset>"
    assert read(text)[0] == TWO[:1]


def test_news_fields_and_lastmod() -> None:
    text = (
        f"<urlset {NS} {NEWS}><url><loc>/1</loc><lastmod>2024-01-02T10:00:00+08:00</lastmod><news:news>"
        "<news:publication><news:name>The News</news:name><news:language>en</news:language></news:publication>"
        "<news:publication_date>2024-01-01</news:publication_date><news:title>Fish &amp; chips</news:title>"
        "</news:news></url></urlset>"
    )
    (entry,) = SitemapReader(text.encode(), BASE)
    assert entry.lastmod == datetime(2024, 1, 2, 2, tzinfo=UTC)
    assert entry.published_at == datetime(2024, 1, 1, tzinfo=UTC)
    assert (entry.title, entry.language) == ("Fish & chips", "en")


def test_title_and_date_of_a_video_are_not_those_of_the_page() -> None:
    video = "<v:video><v:title>Clip</v:title><v:publication_date>2001-01-01</v:publication_date></v:video>"
    news = "<news:news><news:publication_date>2024-01-01</news:publication_date></news:news>"
    urls = f"<url><loc>/1</loc>{video}{news}</url><url><loc>/2</loc>{video}</url>"
    text = f'<urlset {NS} {NEWS} xmlns:v="v">{urls}</urlset>'
    first, second = SitemapReader(text.encode(), BASE)
    assert (first.published_at, first.title) == (datetime(2024, 1, 1, tzinfo=UTC), None)
    assert (second.published_at, second.title) == (None, None)


def test_index_names_sitemaps() -> None:
    entries = list(
        SitemapReader(f"<sitemapindex {NS}><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>".encode(), BASE)
    )
    assert [(entry.url, entry.is_sitemap) for entry in entries] == [("https://news.example/a.xml", True)]


def test_rss_items_not_channel_or_image() -> None:
    text = (
        '<?xml version="1.0"?><rss version="2.0"><channel><link>https://news.example/</link>'
        "<image><url>https://news.example/logo.png</url><link>https://news.example/</link></image>"
        "<item><title>One</title><link>https://news.example/1</link>"
        "<pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate></item>"
        '<item><guid isPermaLink="true">https://news.example/2</guid></item>'
        '<item><guid isPermaLink="false">https://news.example/tag:7</guid></item></channel></rss>'
    )
    reader = SitemapReader(text.encode(), BASE)
    entries = list(reader)
    assert [entry.url for entry in entries] == TWO
    assert entries[0].published_at == datetime(2024, 1, 1, 10, tzinfo=UTC)
    assert (reader.kind, reader.skipped) == (SitemapKind.FEED, 1)


def test_atom_entries() -> None:
    text = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://news.example/"/>'
        '<entry><link rel="self" href="/feed/1"/><link rel="alternate" href="/1"/>'
        '<published>2024-01-01T00:00:00Z</published></entry><entry><link href="/2"/></entry></feed>'
    )
    assert read(text)[0] == TWO


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://news.example/the harbour wall", "https://news.example/the%20harbour%20wall"),
        ("https://news.example/the-\n      harbour-wall", "https://news.example/the-harbour-wall"),
        ("\u200b\ufeffhttps://news.example/1\u00a0", TWO[0]),
        ("https://news.example/a\tb", "https://news.example/ab"),
    ],
)
def test_blanks_in_a_location_are_read_as_browsers_read_them(written: str, meant: str) -> None:
    assert read(urlset(written))[0] == [meant]


def test_two_addresses_in_one_location_are_none() -> None:
    assert read(urlset(" ".join(TWO)))[0] == []


@pytest.mark.parametrize("prefix", ["feedburner", "pheedo"])
def test_original_address_of_a_feed_item_is_taken_in_place_of_the_counting_service(prefix: str) -> None:
    text = (
        f'<rss xmlns:{prefix}="http://example.org/ns"><channel><item><link>https://feeds.counter.example/~r/x/1</link>'
        f"<{prefix}:origLink>{TWO[0]}</{prefix}:origLink></item></channel></rss>"
    )
    assert read(text)[0] == TWO[:1]


JSON_FEED = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "News <html>",
    "next_url": "https://news.example/feed.json?page=2",
    "items": [
        {"id": "7", "url": TWO[0], "title": "A", "date_published": "2024-03-05T09:30:00+01:00", "content_html": "<p>x"},
        {"id": TWO[1], "date_published": "2024-03-05T09:30:00", "date_modified": "2024-03-06T09:30:00Z"},
        {"id": "8"}, "odd", None,
    ],
}  # fmt: skip


def test_json_feed_is_read_with_its_times_and_its_next_page() -> None:
    reader = SitemapReader(json.dumps(JSON_FEED).encode(), BASE, zone=ZoneInfo("Europe/Oslo"))
    first, second, following = list(reader)
    assert (first.url, first.title, first.published_at) == (TWO[0], "A", datetime(2024, 3, 5, 8, 30, tzinfo=UTC))
    assert (second.url, second.published_at) == (TWO[1], datetime(2024, 3, 5, 8, 30, tzinfo=UTC))
    assert second.lastmod == datetime(2024, 3, 6, 9, 30, tzinfo=UTC)
    assert (following.url, following.is_sitemap) == ("https://news.example/feed.json?page=2", True)
    assert (reader.kind, reader.skipped) == (SitemapKind.FEED, 3)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"items": [', "the JSON cannot be read"),
        ("{" + '"a":{' * 200_000, "the JSON cannot be read"),
        ('{"items": {"a": 1}}', "the file is JSON, but not a JSON feed"),
        ('{"items": [], "x": "' + "x" * 17_000_000 + '"}', "refused: a JSON feed of more than 16 MB"),
    ],
)
def test_json_that_is_no_feed_says_so(text: str, problem: str) -> None:
    urls, reader = read(text)
    assert urls == []
    assert problem in " ".join(reader.problems)


def test_next_page_of_an_atom_feed_is_followed_but_not_links_of_its_entries() -> None:
    text = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="/feed"/>'
        '<link rel="next" href="/feed?page=2"/>'
        f'<entry><link rel="next" href="/other"/><link rel="alternate" href="{TWO[0]}"/>'
        "<published>2024-03-05T09:30:00Z</published><updated>2024-03-06T09:30:00Z</updated></entry></feed>"
    )
    following, entry = list(SitemapReader(text.encode(), BASE))
    assert (following.url, following.is_sitemap) == ("https://news.example/feed?page=2", True)
    assert (entry.url, entry.is_sitemap) == (TWO[0], False)
    assert (entry.published_at, entry.lastmod) == (
        datetime(2024, 3, 5, 9, 30, tzinfo=UTC), datetime(2024, 3, 6, 9, 30, tzinfo=UTC),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Tue, 05 Mar 2024 09:30:00 CET", datetime(2024, 3, 5, 8, 30, tzinfo=UTC)),
        ("Tue, 05 Mar 2024 09:30:00 EST", datetime(2024, 3, 5, 14, 30, tzinfo=UTC)),
        ("Tue, 05 Mar 2024 09:30:00 GMT", datetime(2024, 3, 5, 9, 30, tzinfo=UTC)),
        ("Tue, 05 Mar 2024 09:30:00 XYZT", None),
        ("Tue, 05 Mar 2024 09:30:00", datetime(2024, 3, 5, 8, 30, tzinfo=UTC)),
        ("2024-03-05 09:30:00", datetime(2024, 3, 5, 8, 30, tzinfo=UTC)),
        ("2024-03-05", datetime(2024, 3, 5, tzinfo=UTC)),
    ],
)
def test_time_without_a_zone_is_the_sites_and_an_unknown_zone_is_not_believed(
    text: str, moment: datetime | None
) -> None:
    assert parse_moment(text, zone=ZoneInfo("Europe/Oslo")) == moment


@pytest.mark.parametrize(
    "bad",
    ["", "   ", "mailto:a@b.example", "ftp://news.example/1", "javascript:alert(1)", "http://[::1", "/a b", "x" * 3000,
     "http://news.example:99999/"],
)  # fmt: skip
def test_one_bad_entry_is_skipped_and_counted(bad: str) -> None:
    urls, reader = read(urlset(TWO[0], bad, TWO[1]))
    assert urls == TWO
    assert reader.skipped == 1
    assert "1 entries" in reader.problems[0]


def test_entry_with_a_broken_tag_does_not_take_others_along() -> None:
    urls, _ = read(PLAIN.replace("</urlset>", "<url><loc>/3</url><url><loc>/4</loc></url></urlset>"))
    assert urls[:2] == TWO
    assert "https://news.example/4" in urls


@pytest.mark.parametrize("text", [
    "<!DOCTYPE html><html><head><title>Not found</title></head><body><url><loc>/x</loc></url></body></html>",
    "<!-- cached -->\n<html><body>Not found</body></html>",
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0" "x.dtd"><html xmlns="http://www.w3.org/1999/xhtml">'
    "<body/></html>",
])  # fmt: skip
def test_html_in_place_of_a_sitemap_is_said(text: str) -> None:
    urls, reader = read(text)
    assert urls == []
    assert reader.kind is SitemapKind.HTML
    assert "HTML" in reader.problems[0]


@pytest.mark.parametrize("text", ["", "Not found", '{"url": "https://news.example/1"}', "<foo><bar/></foo>"])
def test_something_else_in_place_of_a_sitemap_is_said(text: str) -> None:
    urls, reader = read(text)
    assert urls == []
    assert reader.problems


MANY = [f"https://news.example/story/{number}" for number in range(3000)]


@pytest.mark.parametrize("share", [0.02, 0.5, 0.97])
def test_truncated_xml_keeps_whole_entries_and_says_so(share: float) -> None:
    text = urlset(*MANY)
    urls, reader = read(text[: int(len(text) * share)])
    assert urls == MANY[: len(urls)]
    assert len(urls) >= 3000 * share - 5
    assert any("ends early" in problem for problem in reader.problems)


def test_truncated_in_the_middle_of_an_address_gives_no_half_address() -> None:
    text = urlset(*MANY[:3])
    urls, _ = read(text[: text.index("story/2") + 4])
    assert urls == MANY[:2]


def test_truncated_gzip_keeps_what_is_readable_and_says_so() -> None:
    packed = gzip.compress(urlset(*MANY).encode())
    urls, reader = read(packed[: len(packed) // 2])
    assert urls == MANY[: len(urls)]
    assert len(urls) > 500
    assert any("gzip" in problem for problem in reader.problems)


def test_damaged_gzip_keeps_what_is_readable_and_says_so() -> None:
    packed = bytearray(gzip.compress(urlset(*MANY).encode()))
    packed[len(packed) // 2 : len(packed) // 2 + 50] = b"\xff" * 50
    urls, reader = read(bytes(packed))
    assert set(urls[:100]) <= set(MANY)
    assert any("damaged" in problem for problem in reader.problems)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-01-02", datetime(2024, 1, 2, tzinfo=UTC)),
        ("2024-01", datetime(2024, 1, 1, tzinfo=UTC)),
        ("2024-01-02T03:04Z", datetime(2024, 1, 2, 3, 4, tzinfo=UTC)),
        ("2024-01-02T03:04:05.678+08:00", datetime(2024, 1, 1, 19, 4, 5, 678000, tzinfo=UTC)),
        ("Tue, 02 Jan 2024 03:04:05 +0800", datetime(2024, 1, 1, 19, 4, 5, tzinfo=UTC)),
        ("yesterday", None),
        ("", None),
        ("0001-01-01T00:00:00+23:59", None),
        ("0001-01-01T00:00:00Z", None),
        ("9999-12-31T23:59:59Z", None),
        ("1845-07-15", datetime(1845, 7, 15, tzinfo=UTC)),
    ],
)
def test_times_are_read_as_utc(text: str, expected: datetime | None) -> None:
    assert parse_moment(text) == expected


@pytest.mark.parametrize("shift", [0, 1, 2])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_long_list_of_addresses_loses_none_where_its_pieces_meet(end: str, shift: int) -> None:
    chars = 32 - len(end)  # so that the pieces of 64 KB meet at the ends of lines, before, within or behind
    addresses = [f"https://news.example/{number:0{chars - 21}}" for number in range(10_000)]
    urls, reader = read(end.join(["#" * (chars + shift), *addresses, ""]))
    assert urls == addresses
    assert (reader.skipped, reader.problems) == (0, [])


@settings(max_examples=150)
@given(st.binary(max_size=3000))
def test_no_bytes_break_the_reader(content: bytes) -> None:
    for prefix in (b"", b"<urlset><url><loc>/1</loc></url>", b"\x1f\x8b\x08\x00"):
        for entry in SitemapReader(prefix + content, BASE):
            assert entry.url.startswith(("http://", "https://"))


_PATHS = st.lists(
    st.text("abcXYZ012-_~./é&=%+ü", min_size=1, max_size=30).filter(lambda text: ".." not in text), max_size=30
)


@settings(max_examples=100)
@given(_PATHS, st.sampled_from(["utf-8", "utf-16"]), st.booleans())
def test_what_is_written_is_read(paths: list[str], encoding: str, packed: bool) -> None:
    locations = [f"https://news.example/p{path}" for path in paths]
    text = urlset(*(location.replace("&", "&amp;") for location in locations)).replace("UTF-8", encoding)
    content = text.encode(encoding)
    urls, _ = read(gzip.compress(content) if packed else content)
    assert urls == [location.replace("&amp;", "&") for location in locations]
