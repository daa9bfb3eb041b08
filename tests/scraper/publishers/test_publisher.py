from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from core.errors import ConfigError, NotFoundError
from scraper.publishers import Publisher, list_publishers, load_publisher
from scraper.publishers.site import Site
from scraper.sitemaps.entries import SitemapEntry
from scraper.sitemaps.selection import Selection


def write(tmp_path: Path, text: str) -> str:
    path = tmp_path / "site.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", list_publishers())
def test_shipped_publisher_file_loads_under_its_own_name(name: str) -> None:
    assert load_publisher(name).name == name


def test_smallest_file_has_polite_defaults(tmp_path: Path) -> None:
    publisher = load_publisher(write(tmp_path, "name: site\nhome: https://www.example.com/\n"))
    assert publisher.home == "https://www.example.com"
    assert publisher.delay is None
    assert publisher.concurrency == 1
    assert publisher.interval_minutes == 60
    assert not publisher.allow_private_addresses


def test_norwegian_may_be_written_without_quotes(tmp_path: Path) -> None:
    text = "name: site\nhome: https://a.example\nlanguages: [no, en]\n"
    assert load_publisher(write(tmp_path, text)).languages == ("no", "en")


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("country: NO", "country", "NO"),
        ("country: no", "country", "NO"),
        ("country: uk", "country", "GB"),
        ("title: 1984", "title", "1984"),
        ("title: Yes", "title", "Yes"),
        ("title: 12:30", "title", "12:30"),
        ("title: 2024-01-05", "title", "2024-01-05"),
        ("title: 1_000", "title", "1_000"),
        ("title:", "title", None),
        ("title: ~", "title", None),
        ("sitemaps: https://a.example/s.xml", "sitemaps", ("https://a.example/s.xml",)),
        ("feeds: /rss", "feeds", ("/rss",)),
        ("include: /news/", "include", ("/news/",)),
        ("keywords: [on, 1984]", "keywords", ("on", "1984")),
        ("keywords: Prime Minister", "keywords", ("Prime Minister",)),
        ("tracking_parameters: [y, n, 007]", "tracking_parameters", ("y", "n", "007")),
        ("languages: no", "languages", ("no",)),
        ("languages: en-GB, nb_NO", "languages", ("en", "nb")),
        ("domains: b.example, c.example", "domains", ("b.example", "c.example")),
        ("type: Regional paper", "type", "regional_paper"),
        ("published_from: 2024-1-5", "published_from", date(2024, 1, 5)),
        ("delay: 2", "delay", 2.0),
        ("allow_private_addresses: yes", "allow_private_addresses", True),
    ],
)
def test_values_are_read_as_a_person_means_them(tmp_path: Path, line: str, key: str, value: object) -> None:
    publisher = load_publisher(write(tmp_path, f"name: site\nhome: https://a.example\n{line}\n"))
    assert getattr(publisher, key) == value


def test_name_may_be_a_number_and_the_file_may_begin_with_a_mark(tmp_path: Path) -> None:
    assert load_publisher(write(tmp_path, "\ufeffname: 1984\nhome: https://a.example\n")).name == "1984"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("country: Norway", "no country: write its ISO 3166-1 code, NO"),
        ("country: yes", "no country"),
        ("languages: [Norwegian]", "no language: write its ISO 639-1 code, no"),
        ("time_zone: Oslo", "that is not a time zone: write Europe/Oslo"),
        ("published_from: 2024", "no day: write year, month and day"),
        ("published_from: 20240105", "no day"),
        ("published_from: 5/1/2024", "no day"),
        ("sitemaps: sitemap.xml", "write /sitemap.xml, or the whole address"),
        ("feeds: [feed://a.example/rss]", "that is not an address"),
        ("served_at: www.a.example", "write https://www.a.example"),
        ("delay: quick", "delay is 'quick'"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_to_write(tmp_path: Path, line: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_publisher(write(tmp_path, f"name: site\nhome: https://a.example\n{line}\n"))
    assert "site.yaml:3: " in caught.value.message
    assert says in caught.value.message


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("name: site\nhome: https://a.example\nsitmaps: [/s.xml]\n", 3, "sitmaps is not a key"),
        ("name: site\n\n# note\nhome: ftp://a.example\n", 4, "home is 'ftp://a.example': that is not an address"),
        ("name: site\nhome: https://a.example\ninclude:\n  - fine\n  - '(open'\n", 5, "no regular expression"),
        ("name: site\nhome: https://a.example\nprune_xpaths: ['//div[']\n", 3, "no XPath"),
        ("name: site\nhome: https://a.example\nprune_xpaths: ['//p[matches(.)]']\n", 3, "no XPath"),
        ("name: site\nhome: https://a.example\nprune_xpaths: ['//re:p']\n", 3, "no XPath"),
        ("name: site\nhome: https://a.example\nprune_xpaths: ['string(//p)']\n", 3, "selects no elements"),
        ("name: site\nhome: https://a.example\ndomains: ['https://b.example']\n", 3, "no host"),
        ("name: site\nhome: https://a.example\ndomains: ['*.b.example']\n", 3, "no host"),
        ("name: site\nhome: https://a.example\ntime_zone: Mars/Olympus\n", 3, "that is not a time zone"),
        ("name: site\nhome: https://a.example\nlanguages: [en,\n  eng]\n", 4, "languages.1 is 'eng': no language"),
        ("name: site\nhome: https://a.example\ndelay: -1\n", 3, "delay is '-1'"),
        ("name: site\nhome: https://a.example\ninterval_minutes: 0\n", 3, "interval_minutes is '0'"),
        ("name: site\nhome: https://a.example\npublished_from: soon\n", 3, "published_from is 'soon'"),
        ("name: site\nhome: https://a.example\nname: other\n", 3, "name stands twice"),
        ("name: site\nhome: [\n", 3, "not valid YAML"),
        ("- name\n", 1, "must hold keys"),
        ("name: site\n", 1, "home is missing"),
        ("name: site\nhome: https://a.example/news\n", 2, "scheme and host only"),
        ("name: site\nhome: https://a.example\nsame_article: '\\d+'\n", 3, "exactly one group"),
        ("name: ../site\nhome: https://a.example\n", 1, "name is '../site'"),
    ],
)
def test_fault_is_reported_with_its_line(tmp_path: Path, text: str, line: int, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_publisher(write(tmp_path, text))
    assert f"site.yaml:{line}: " in caught.value.message
    assert says in caught.value.message
    assert caught.value.hint


def test_misspelt_key_names_the_right_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_publisher(write(tmp_path, "name: s\nhome: https://a.example\nsitmaps: []\n"))
    assert caught.value.hint == "Did you mean sitemaps?"


def test_misspelt_key_is_told_before_the_one_that_it_leaves_missing(tmp_path: Path) -> None:
    path = tmp_path / "site.yaml"
    path.write_text("name: site\nhomme: https://example.org\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r":2: homme .*") as caught:
        load_publisher(str(path))
    assert caught.value.hint == "Did you mean home?"


def test_range_in_the_wrong_order_is_refused(tmp_path: Path) -> None:
    text = "name: s\nhome: https://a.example\npublished_from: 2022-02-01\npublished_to: 2022-01-01\n"
    with pytest.raises(ConfigError, match="is after published_to"):
        load_publisher(write(tmp_path, text))


def test_unknown_publisher_is_not_found_and_names_the_known() -> None:
    with pytest.raises(NotFoundError) as caught:
        load_publisher("nowhere-times")
    assert "sample" in str(caught.value.hint)


def test_source_is_the_title_where_there_is_one() -> None:
    assert Publisher(name="a", home="https://a.example").source == "a"
    assert Publisher(name="a", title="The A", home="https://a.example").source == "The A"


WANTED = [
    ("straitstimes", "https://www.straitstimes.com/singapore/politics/parliament-passes-bill"),
    ("straitstimes", "https://www.straitstimes.com/business/singapore-exports-rise-in-may"),
    ("cna", "https://www.channelnewsasia.com/singapore/new-mrt-line-opens-4012345"),
    ("mothership", "https://mothership.sg/2024/05/otters-in-the-park/"),
    ("bbc", "https://www.bbc.com/news/articles/c4ng5jq1x2zo"),
    ("bbc", "https://www.bbc.co.uk/news/uk-politics-65876543"),
    ("guardian", "https://www.theguardian.com/world/2024/may/03/island-votes"),
    ("reuters", "https://www.reuters.com/world/asia-pacific/island-votes-2024-05-03/"),
    ("ap", "https://apnews.com/article/island-vote-ferry-1f0a4b5c6d7e8f901a2b3c4d5e6f7081"),
    ("npr", "https://www.npr.org/2024/05/03/1248901234/island-votes"),
    ("npr", "https://www.npr.org/sections/health-shots/2024/05/03/1248901234/island-votes"),
    ("npr", "https://www.npr.org/2024/05/03/nx-s1-5029341/island-votes"),
    ("sample", "https://en.wikinews.org/wiki/Island_votes"),
]
UNWANTED = [
    ("straitstimes", "https://www.straitstimes.com/world/europe/island-votes"),
    ("straitstimes", "https://www.straitstimes.com/multimedia/graphics/2023/singapore/index.html"),
    ("cna", "https://www.channelnewsasia.com/watch/singapore-tonight-4012345"),
    ("mothership", "https://mothership.sg/about-us/"),
    ("bbc", "https://www.bbc.com/sport/football/65876543"),
    ("bbc", "https://www.bbc.com/news/live/uk-65876543"),
    ("guardian", "https://www.theguardian.com/world/live/2024/may/03/island-votes-live"),
    ("guardian", "https://www.theguardian.com/uk/commentisfree"),
    ("reuters", "https://www.reuters.com/video/watch/idRW123"),
    ("ap", "https://apnews.com/hub/ferries"),
    ("npr", "https://www.npr.org/podcasts/510289/planet-money"),
]


@pytest.mark.parametrize(("name", "url"), WANTED)
def test_articles_are_wanted(name: str, url: str) -> None:
    entry = SitemapEntry(url, lastmod=datetime(2024, 5, 3, tzinfo=UTC))
    assert Selection(load_publisher(name)).wants_page(url, entry)


@pytest.mark.parametrize(("name", "url"), UNWANTED)
def test_other_pages_are_not_wanted(name: str, url: str) -> None:
    assert not Selection(load_publisher(name)).wants_page(url, SitemapEntry(url))


@pytest.mark.parametrize("name", list_publishers())
def test_pages_of_other_sites_are_not_fetched(name: str) -> None:
    assert Site(load_publisher(name)).refusal("https://elsewhere.example/news/1") == "offsite"


def test_reference_job_begins_in_2022_singapore_time() -> None:
    selection = Selection(load_publisher("straitstimes"))
    url = "https://www.straitstimes.com/singapore/first-baby-of-the-year"
    first_hour = datetime(2021, 12, 31, 16, 30, tzinfo=UTC)  # half past midnight in Singapore
    assert selection.wants_sitemap("https://www.straitstimes.com/sitemap/2021/12/feeds.xml")
    assert not selection.wants_sitemap("https://www.straitstimes.com/sitemap/2021/11/feeds.xml")
    assert selection.wants_page(url, SitemapEntry(url, published_at=first_hour))
    assert selection.bounds[0] == datetime(2021, 12, 31, 16, tzinfo=UTC)


def test_slugs_with_one_number_are_one_article() -> None:
    npr, ap = Selection(load_publisher("npr")), Selection(load_publisher("ap"))
    assert npr.key("https://www.npr.org/2024/05/03/1248901234/island-votes") == npr.key(
        "https://www.npr.org/2024/05/03/1248901234/island-votes-again"
    )
    number = "1f0a4b5c6d7e8f901a2b3c4d5e6f7081"
    assert ap.key(f"https://apnews.com/article/island-vote-{number}") == ap.key(f"https://apnews.com/article/{number}")


def test_addresses_without_a_number_are_articles_of_their_own() -> None:
    pattern = r"/news/(?:story-(\d+)|[a-z])"
    selection = Selection(Publisher(name="site", home="https://a.example", same_article=pattern))
    assert selection.key("https://a.example/news/x") != selection.key("https://a.example/news/y")
    assert selection.key("https://a.example/news/story-7") == selection.key("https://a.example/news/story-7-again")
