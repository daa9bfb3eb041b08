"""`looksy publishers add` and what its file is good for, against a site on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from core.paths import CONFIGS
from scraper.publishers import load_publisher
from service.cli.main import app
from tests.scraper.crawling.playsite import PlaySite, articles, index

runner = CliRunner()


@pytest.fixture
def site() -> Iterator[PlaySite]:
    site = PlaySite()
    site.add("/robots.txt", f"User-agent: *\nDisallow: /private/\nSitemap: {site.home}/root.xml\n")
    site.add("/root.xml", index("/news.xml"))
    site.add_sitemap("/news/a", "/news/b", path="/news.xml")
    for path in ("/news/a", "/news/b"):
        site.add_article(path, canonical="")
    yield site
    site.close()


def looksy(*arguments: str, data_dir: Path):
    return runner.invoke(app, [*arguments, "--data-dir", str(data_dir)])


def test_added_file_is_valid_can_be_checked_and_crawled(site: PlaySite, tmp_path: Path) -> None:
    file, data = tmp_path / "sites" / "mine.yaml", tmp_path / "var"
    added = looksy(
        "publishers", "add", f"{site.home}/front?x=1", "--name", "mine", "--output", str(file), data_dir=data
    )
    assert added.exit_code == 0, added.stderr
    assert f"Wrote {file} with 1 sitemaps" in added.stdout
    assert yaml.safe_load(file.read_text(encoding="utf-8")) == {
        "name": "mine", "home": site.home, "sitemaps": [f"{site.home}/root.xml"], "allow_private_addresses": True,
    }  # fmt: skip
    assert load_publisher(str(file)).name == "mine"
    assert looksy("publishers", "check", str(file), "--offline", data_dir=data).exit_code == 0
    checked = looksy("publishers", "check", str(file), "--json", data_dir=data)
    assert checked.exit_code == 0, checked.stderr
    assert set(json.loads(checked.stdout)["samples"]) == {f"{site.home}/news/a", f"{site.home}/news/b"}
    crawled = looksy("crawl", str(file), "--home", site.home, data_dir=data)
    assert crawled.exit_code == 0, crawled.stderr
    assert {article.url for article in articles(data)} == {f"{site.home}/news/a", f"{site.home}/news/b"}


def test_file_that_is_there_is_not_overwritten(site: PlaySite, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("name: mine\n", encoding="utf-8")
    done = looksy("publishers", "add", site.home, "--name", "mine", "--output", str(file), data_dir=tmp_path)
    assert done.exit_code == 2
    assert "is there already" in done.stderr
    assert file.read_text(encoding="utf-8") == "name: mine\n"
    assert site.asked == []


def test_site_without_sitemaps_leaves_no_file(tmp_path: Path) -> None:
    bare, file = PlaySite(), tmp_path / "mine.yaml"
    done = looksy("publishers", "add", bare.home, "--name", "mine", "--output", str(file), data_dir=tmp_path)
    bare.close()
    assert done.exit_code != 0
    assert "names no sitemap" in done.stderr
    assert not file.exists()


def test_files_that_were_never_tried_say_so(site: PlaySite, tmp_path: Path) -> None:
    listed = looksy("publishers", "list", data_dir=tmp_path)
    assert "tried" in listed.stdout
    assert "never" in listed.stdout
    file = tmp_path / "mine.yaml"
    refused = f"name: mine\nhome: {site.home}\n"  # on this machine, as no newsroom is
    file.write_text(refused, encoding="utf-8")
    assert "allow_private_addresses" in looksy("publishers", "check", str(file), data_dir=tmp_path).stderr
    file.write_text(f"{refused}allow_private_addresses: true\n", encoding="utf-8")
    assert "never tried" in looksy("publishers", "check", str(file), "--offline", data_dir=tmp_path).stdout
    assert "write today into tried_on" in looksy("publishers", "check", str(file), data_dir=tmp_path).stdout
    file.write_text(f"name: mine\nhome: {site.home}\ntried_on: 2025-02-03\n", encoding="utf-8")
    offline = looksy("publishers", "check", str(file), "--offline", data_dir=tmp_path).stdout
    assert "last tried against the site on 2025-02-03" in " ".join(offline.split())


def test_lost_pages_are_named(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a", "/news/b", "/news/missing", path="/news.xml")
    file = tmp_path / "there.yaml"
    file.write_text(
        f"name: there\nhome: {site.home}\nsitemaps: [{site.home}/root.xml]\nallow_private_addresses: true\n"
    )
    crawl = ["crawl", str(file), "--data-dir"]
    report = json.loads(runner.invoke(app, [*crawl, str(tmp_path / "one"), "--json"]).stdout)
    assert [one["url"] for one in report["lost"]] == [f"{site.home}/news/missing"]
    assert "/news/missing" in runner.invoke(app, [*crawl, str(tmp_path / "two"), "--rejected"]).stdout


def test_a_file_of_the_data_folder_is_found_by_name_and_goes_first(tmp_path: Path) -> None:
    folder = tmp_path / "publishers"
    folder.mkdir()
    text = (CONFIGS / "publishers" / "sample.yaml").read_text(encoding="utf-8")
    (folder / "ours.yaml").write_text(text.replace("name: sample", "name: ours"), encoding="utf-8")
    (folder / "sample.yaml").write_text(text.replace("interval_minutes", "# interval_minutes"), encoding="utf-8")
    where = ["--data-dir", str(tmp_path)]
    listed = runner.invoke(app, ["publishers", "list", "--json", *where])
    names = [one["name"] for one in json.loads(listed.stdout)]
    assert "ours" in names
    assert names.count("sample") == 1
    assert runner.invoke(app, ["publishers", "check", "ours", "--offline", *where]).exit_code == 0
    assert load_publisher("ours", data_dir=tmp_path).name == "ours"
    missing = runner.invoke(app, ["publishers", "check", "nobody", "--offline", *where])
    assert "ours" in missing.stderr
