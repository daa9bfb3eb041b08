"""What is crawled: one publisher file per site, checked when it is read."""

import re
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Self, get_origin
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale
from lxml import etree
from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from core.errors import NotFoundError
from core.paths import CONFIGS
from core.publisher_types import PublisherType
from core.types import Model
from core.urls import ascii_host
from scraper.publishers.files import read_publisher_file
from scraper.publishers.languages import read_language

_HOST_ONLY = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+/?", re.IGNORECASE)
FOLDER = CONFIGS / "publishers"
_PAGE = etree.fromstring("<html><body><div><section/><aside/><figure/><ul/><p/><span/><a/></div></body></html>")
"""Unknown functions and prefixes of an XPath show only where it finds elements."""


def _pattern(value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from error
    return value


def _xpath(value: str) -> str:
    try:
        found = etree.XPath(value)(_PAGE)
    except etree.XPathError as error:
        raise ValueError(f"no XPath: {error}") from error
    if not isinstance(found, list):
        raise ValueError("selects no elements: write //div[@class='promo']")  # noqa: TRY004 (pydantic's way)
    return value


def _host(value: str) -> str:
    if not re.fullmatch(r"[^\s/:?#@*.][^\s/:?#@*]*", value):
        raise ValueError("no host: write it without scheme, port, path and *, as in cdn.example.com")
    return ascii_host(value).lower()


def _web_address(value: str) -> str:
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError as error:
        raise ValueError(f"that is not an address: {error}") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username:
        example = f"https://{value}" if _HOST_ONLY.fullmatch(value) else "https://www.example.com"
        raise ValueError(f"that is not an address: write {example}")
    return value


def _origin(value: str) -> str:
    if urlsplit(_web_address(value)).path not in {"", "/"} or "?" in value or "#" in value:
        raise ValueError("write scheme and host only, as in https://www.example.com")
    return ascii_origin(value.rstrip("/"))


def ascii_origin(value: str) -> str:
    """Write scheme, host and port as they are asked for: an international host in its ASCII form."""
    parts = urlsplit(value)
    if parts.netloc.isascii():
        return value
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{ascii_host(parts.hostname or '')}{port}"


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ValueError, KeyError, OSError) as error:
        place = value.strip().replace(" ", "_").lower()
        meant = sorted(name for name in available_timezones() if name.lower().rpartition("/")[2] == place)
        write = meant[0] if meant else "a name such as Asia/Singapore or UTC"
        raise ValueError(f"that is not a time zone: write {write}") from error
    return value


def _day(value: object) -> object:
    if not isinstance(value, str):
        return value
    parts = re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", value.strip())
    try:
        return (
            date(*map(int, parts.groups())) if parts else date.fromisoformat(value.strip()[:10] if "T" in value else "")
        )
    except ValueError as error:
        raise ValueError("no day: write year, month and day, as in 2024-03-05") from error


def _country(value: object) -> object:
    """Read a country's code in any case, also the one that the United Kingdom goes by."""
    if not isinstance(value, str):
        return value
    code = {"UK": "GB"}.get(value.strip().upper(), value.strip().upper())
    names = Locale("en").territories
    if re.fullmatch(r"[A-Z]{2}", code) and code in names:
        return code
    known = {name.lower(): one for one, name in names.items() if re.fullmatch(r"[A-Z]{2}", one)}
    meant = known.get(value.strip().lower(), "as in SG or NO")
    raise ValueError(f"no country: write its ISO 3166-1 code, {meant}")


def _name(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(NAME, value):
        raise ValueError("write lower case, digits, - and _ only, as in straits-times")
    return value


def _type(value: object) -> object:
    return re.sub(r"[\s-]+", "_", value.strip().lower()) if isinstance(value, str) else value


NAME = r"[a-z0-9][a-z0-9_-]{0,63}"
Pattern = Annotated[str, AfterValidator(_pattern)]
XPath = Annotated[str, AfterValidator(_xpath)]
Origin = Annotated[str, AfterValidator(_origin)]
Host = Annotated[str, AfterValidator(_host)]
Language = Annotated[str, BeforeValidator(read_language)]
Day = Annotated[date, BeforeValidator(_day)]


class Publisher(Model):
    """One news site: where its articles are listed, which of them are wanted, and how its pages are read."""

    name: Annotated[str, BeforeValidator(_name)]
    """Short name, as in the file's: lower case, digits, `-` and `_`."""
    title: str | None = None
    """Name for people, and the `source` of its articles; None: as `name`."""
    home: Origin
    """Scheme and host (international ones in ASCII). Article addresses, and so their ids, are made with it."""
    served_at: Origin | None = None
    """Where the site is fetched from, if that is not its home: a mirror, or a copy on this machine."""
    domains: tuple[Host, ...] = ()
    """Further hosts (with their subdomains) that belong to the site; the home's is always one."""
    languages: tuple[Language, ...] = ()
    """ISO 639-1 codes; articles that are known to be in others are left out. Empty: any."""
    time_zone: Annotated[str, AfterValidator(_zone)] = "UTC"
    """IANA name. Holds for times without a zone and for the date range."""
    country: Annotated[str | None, BeforeValidator(_country)] = None
    """ISO 3166-1 alpha-2, such as NO. It settles what day 05/03/2024 is."""
    type: Annotated[PublisherType, BeforeValidator(_type)] = PublisherType.OTHER
    """national_paper, regional_paper, agency, broadcaster, online, magazine, fact_checker, government or other."""
    sitemaps: tuple[str, ...] = ()
    """Addresses or paths; empty: the feeds, else those that robots.txt names, else /sitemap.xml."""
    feeds: tuple[str, ...] = ()
    """Addresses or paths of RSS, Atom or JSON feeds, read beside the sitemaps, or instead of them if none are named."""
    archives: tuple[str, ...] = ()
    """Web archives (WARC, ARC, WACZ) and folders of saved pages, named from the file's folder. Where there are any,
    a crawl reads them and asks the site nothing."""
    sitemap_include: tuple[Pattern, ...] = ()
    """Regular expressions; of the sitemaps that an index names, only those that match one are read. Empty: all."""
    sitemap_exclude: tuple[Pattern, ...] = ()
    """Sitemaps that match one are not read."""
    include: tuple[Pattern, ...] = ()
    """Regular expressions, searched in the whole address, capitals ignored; one must match. Empty: all."""
    exclude: tuple[Pattern, ...] = ()
    """Regular expressions; an address that matches one is left out."""
    published_from: Day | None = None
    """First day wanted, in the site's time zone."""
    published_to: Day | None = None
    """Last day wanted, in the site's time zone."""
    keywords: tuple[str, ...] = ()
    """Words or phrases; headline or body must hold one, capitals ignored. Empty: no condition."""
    prune_xpaths: tuple[XPath, ...] = ()
    """Elements to remove before the body is taken."""
    paywall_markers: tuple[str, ...] = ()
    """Texts that stand in a page whose article is cut off by a paywall."""
    tracking_parameters: tuple[str, ...] = ()
    """Query parameters that do not change the page, besides the well-known ones."""
    same_article: Pattern | None = None
    """Regular expression with one group that finds the site's own article number in an address. Addresses with the
    same number are one article, whatever the words around it."""
    delay: float | None = Field(default=None, ge=0, le=3600)
    """Least seconds between two requests; None: 1, and 0 on this machine."""
    concurrency: int = Field(default=1, ge=1, le=16)
    """Requests to one host at one time."""
    interval_minutes: float = Field(default=60, ge=1)
    """`looksy watch` starts a crawl this long after the start of the last one."""
    recheck_after_hours: float = Field(default=0, ge=0)
    """A known page is asked for again when this has passed; 0: at every crawl."""
    recheck_for_days: int | None = Field(default=None, ge=0)
    """Pages of articles older than this are not asked for again; None: no limit."""
    tried_on: Day | None = None
    """Day on which the file was last tried against the site; None: never, and its patterns are only what is known."""
    allow_private_addresses: bool = False
    """The site is on this machine or in a private network."""

    @model_validator(mode="before")
    @classmethod
    def _lists_of_one(cls, values: Any) -> Any:
        """Take one value where a list belongs for a list of one; languages and hosts may be parted by commas."""
        if not isinstance(values, dict):
            return values
        lists = {name for name, field in cls.model_fields.items() if get_origin(field.annotation) is tuple}
        parted = {"languages", "domains"}
        single = {name: value for name, value in values.items() if name in lists and isinstance(value, str)}
        return values | {
            name: [part for part in re.split(r"[,\s]+", value) if part] if name in parted else [value]
            for name, value in single.items()
        }

    @field_validator("sitemaps", "feeds")
    @classmethod
    def _file_addresses(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        for value in values:
            if "://" not in value and not value.startswith("/"):
                raise ValueError(f"that is not an address: write /{value}, or the whole address with https://")
            if not value.startswith("/") or value.startswith("//"):
                _web_address(value)
        return values

    @field_validator("same_article")
    @classmethod
    def _one_group(cls, value: str | None) -> str | None:
        if value is not None and re.compile(value).groups != 1:
            raise ValueError("must hold exactly one group, as in /(\\d{6,})")
        return value

    @model_validator(mode="after")
    def _days_in_order(self) -> Self:
        if self.published_from and self.published_to and self.published_from > self.published_to:
            raise ValueError(f"published_from {self.published_from} is after published_to {self.published_to}")
        return self

    @property
    def source(self) -> str:
        """Name of the publisher in its articles."""
        return self.title or self.name

    @property
    def zone(self) -> ZoneInfo:
        """The site's time zone."""
        return ZoneInfo(self.time_zone)


def own_folder(data_dir: Path) -> Path:
    """Return where the publisher files of an installation lie; those in `FOLDER` are examples that ship with Looksy."""
    return data_dir / "publishers"


def load_publisher(name_or_path: str, *, data_dir: Path | None = None) -> Publisher:
    """
    Read a publisher file.

    :param name_or_path: A name in the data folder's publishers/ or in configs/publishers/, or the path of a YAML file.
    :param data_dir: Its own files go before those that ship; None: only those that ship.
    :raises NotFoundError: If there is no such file.
    :raises ConfigError: If it does not hold to the schema; the message names file, line, key and value.
    """
    is_path = name_or_path.endswith((".yaml", ".yml")) or "/" in name_or_path
    path = Path(name_or_path) if is_path else FOLDER / f"{name_or_path}.yaml"
    if not is_path and data_dir is not None and (own := own_folder(data_dir) / path.name).is_file():
        path = own
    if not path.is_file():
        raise NotFoundError(
            f"publisher {name_or_path!r} is not there",
            field="publisher",
            hint=f"Use {', '.join(list_publishers(data_dir=data_dir))}, or the path of a YAML file.",
        )
    publisher = read_publisher_file(path, Publisher)
    if not publisher.archives:
        return publisher
    return publisher.model_copy(update={"archives": tuple(str(path.parent / name) for name in publisher.archives)})


def list_publishers(*, data_dir: Path | None = None) -> list[str]:
    """
    Return the names of publisher files, sorted.

    :param data_dir: List its own files, too; None: only those that ship.
    """
    folders = [FOLDER] if data_dir is None else [FOLDER, own_folder(data_dir)]
    return sorted({path.stem for folder in folders for path in folder.glob("*.yaml")})
