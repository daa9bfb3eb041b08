from pathlib import Path

import pytest

from core.errors import ConfigError, NotFoundError
from scraper.publishers import Publisher, list_publishers, load_publisher


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


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("name: site\nhome: https://a.example\nsitmaps: [/s.xml]\n", 3, "sitmaps is no key"),
        ("name: site\n\n# note\nhome: ftp://a.example\n", 4, "home is 'ftp://a.example': no address"),
        ("name: site\nhome: https://a.example\ninclude:\n  - fine\n  - '(open'\n", 5, "no regular expression"),
        ("name: site\nhome: https://a.example\nprune_xpaths: ['//div[']\n", 3, "no XPath"),
        ("name: site\nhome: https://a.example\ntime_zone: Mars/Olympus\n", 3, "no time zone"),
        ("name: site\nhome: https://a.example\ndelay: -1\n", 3, "delay is '-1'"),
        ("name: site\nhome: https://a.example\ninterval_minutes: 0\n", 3, "interval_minutes is '0'"),
        ("name: site\nhome: https://a.example\npublished_from: soon\n", 3, "published_from is 'soon'"),
        ("name: site\nhome: https://a.example\nname: other\n", 3, "name stands twice"),
        ("name: site\nhome: [\n", 3, "no YAML"),
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
