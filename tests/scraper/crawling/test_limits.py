"""Pages, sitemaps and certificates that would hurt a crawl: each is given up with its reason, and the crawl goes on."""

import datetime
import gzip
import ipaddress
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from core.errors import StoreError, UnavailableError
from scraper.crawling.crawl import crawl
from scraper.extraction.workers.tasks import PageLimits
from scraper.sitemaps.sitemap_queue import MAX_DEPTH, MAX_SITEMAP_BYTES
from tests.scraper.crawling.playsite import (
    HOME,
    Answer,
    PlaySite,
    article_page,
    articles,
    gzipped,
    index,
    publisher,
    run,
    urlset,
)  # fmt: skip

MB = 1024 * 1024
SLOW_XPATH = "//div[@class='slow']/p[count(preceding::*[contains(., 'zz')]) > 100000]"
MOST_MEMORY_MB = 240
BAD_SITEMAPS = ("/large.xml", "/cut.xml", "/bomb.xml.gz", "/bomb.xml", "/double.xml.gz")


def page_with(path: str, extra: str) -> str:
    return article_page(path).replace("</article>", f"{extra}</article>")


def test_stuck_page_is_given_up_and_the_rest_goes_on(site: PlaySite, tmp_path: Path) -> None:
    stuck = page_with("/news/bad", f"<div class='slow'>{'<p>a b c</p>' * 20_000}</div>")
    limits = PageLimits(seconds=6)
    assert crawl_around(site, tmp_path, stuck, limits=limits, prune_xpaths=(SLOW_XPATH,)) == {"timed_out": 1}


def test_greedy_page_is_given_up_and_the_rest_goes_on(site: PlaySite, tmp_path: Path) -> None:
    many = "".join(f"<p class='c{number}'>Word number {number} of a long page.</p>" for number in range(37_000))
    greedy = page_with("/news/bad", f"{many}<script>{'x' * 6 * MB}</script>")
    limits = PageLimits(seconds=60, memory_mb=160)
    assert crawl_around(site, tmp_path, greedy, limits=limits) == {"out_of_memory": 1}


def crawl_around(site: PlaySite, tmp_path: Path, bad: str, *, limits: PageLimits, **fields: object) -> dict[str, int]:
    """Crawl two pages with a bad one between them; return why pages were rejected."""
    site.add_sitemap("/news/a", "/news/bad", "/news/b")
    site.add_article("/news/a")
    site.add("/news/bad", bad)
    site.add_article("/news/b")
    report = run(site, tmp_path, page_limits=limits, **fields)
    assert {article.url for article in articles(tmp_path)} == {f"{HOME}/news/{name}" for name in "ab"}
    assert report.complete
    return report.rejected


def test_sitemaps_deeper_than_the_limit_are_not_read_and_this_is_said(site: PlaySite, tmp_path: Path) -> None:
    site.add("/sitemap.xml", index("/deep/1.xml", "/news.xml"))
    site.add_sitemap("/news/a", path="/news.xml")
    site.add_article("/news/a")
    for depth in range(1, 10):
        site.add(f"/deep/{depth}.xml", index(f"/deep/{depth + 1}.xml"))
    report = run(site, tmp_path)
    assert report.new == 1
    assert site.count(f"/deep/{MAX_DEPTH}.xml") == 1
    assert site.count(f"/deep/{MAX_DEPTH + 1}.xml") == 0
    assert any(f"/deep/{MAX_DEPTH}.xml" in one and "deeper than 5 levels" in one for one in report.warnings)


def test_sitemaps_and_pages_that_are_too_large_or_bombs_are_refused_and_this_is_said(
    site: PlaySite, tmp_path: Path
) -> None:
    bomb = gzip.compress(b" " * 200 * MB, compresslevel=1)
    large = urlset("/news/large").encode() + b" " * MAX_SITEMAP_BYTES
    site.add(
        "/sitemap.xml", index("/large.xml", "/cut.xml", "/bomb.xml.gz", "/bomb.xml", "/double.xml.gz", "/good.xml")
    )
    site.add("/large.xml", large)
    site.routes["/cut.xml"] = Answer(b"", 200, {"Content-Type": "text/xml"}, declared_length=MAX_SITEMAP_BYTES + 1)
    site.add("/bomb.xml.gz", bomb, **{"Content-Type": "application/gzip"})
    site.add("/bomb.xml", bomb, **{"Content-Encoding": "gzip"})
    site.add("/double.xml.gz", gzip.compress(bomb), **{"Content-Encoding": "gzip"})
    site.add("/good.xml", gzipped(urlset("/news/a", "/news/bomb")), **{"Content-Type": "application/gzip"})
    site.add_article("/news/a")
    site.add("/news/bomb", bomb, **{"Content-Type": "text/html", "Content-Encoding": "gzip"})
    report = run(site, tmp_path)
    said = {warning.split(": ")[0].rpartition("/")[2]: warning for warning in report.warnings}
    assert set(said) == {path.lstrip("/") for path in BAD_SITEMAPS}
    assert all("too_large" in said[name] for name in ("large.xml", "cut.xml", "bomb.xml"))
    assert all("refused: larger than" in said[name] for name in ("bomb.xml.gz", "double.xml.gz"))
    assert (report.new, report.failed) == (1, {"too_large": 1})
    assert report.peak_memory_mb < MOST_MEMORY_MB


def test_crawl_whose_articles_cannot_be_written_says_so_and_goes_on_later(site: PlaySite, tmp_path: Path) -> None:
    names = [f"/news/{number}" for number in range(30)]
    site.add_sitemap(*names)
    for name in names:
        site.add_article(name)
    obstacle = tmp_path / "articles"
    obstacle.write_text("no folder")
    with pytest.raises(StoreError, match=r"articles/play could not be written: Not a directory") as caught:
        run(site, tmp_path)
    assert (caught.value.field, str(caught.value.hint)[:9]) == ("data_dir", "Make room")
    obstacle.unlink()
    report = run(site, tmp_path)
    assert (report.complete, report.sessions, report.new) == (True, 2, 30)
    assert sorted(article.url for article in articles(tmp_path)) == sorted(f"{HOME}{name}" for name in names)


@pytest.fixture
def secure_site(tmp_path: Path) -> PlaySite:
    """A site whose certificate nobody but itself has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1)).add_extension(alternative, critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    file = tmp_path / "certificate.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    site = PlaySite()
    site.server.socket = context.wrap_socket(site.server.socket, server_side=True)
    return site


def test_certificate_that_nobody_vouches_for_is_refused(secure_site: PlaySite, tmp_path: Path) -> None:
    home = secure_site.home.replace("http:", "https:")
    with pytest.raises(UnavailableError, match="its certificate cannot be verified"):
        crawl(publisher(), data_dir=tmp_path / "var", home=home, contact="x")
    secure_site.close()
    assert secure_site.asked == []
