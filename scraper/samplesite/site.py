"""Everything that the sample site serves, made once and held in memory."""

import gzip
import hashlib
from collections import defaultdict
from datetime import UTC, datetime
from functools import cached_property

import jinja2

from core.types import Model
from scraper.samplesite.stories import Story

SITE_NAME = "Wikinews"
RELATED_LINKS = 5
MOST_READ = 8
_PAGE = "text/html; charset=utf-8"
_XML = "application/xml; charset=utf-8"


class Resource(Model):
    """One address of the site and what it answers."""

    content: bytes
    content_type: str
    modified_at: datetime

    @cached_property
    def etag(self) -> str:
        """Strong validator: changes when, and only when, the content does."""
        return '"' + hashlib.sha256(self.content).hexdigest()[:20] + '"'


def build_site(stories: list[Story], *, base_url: str) -> dict[str, Resource]:
    """
    Make every page, sitemap and style sheet. The same stories and address give the same bytes.

    :param base_url: Scheme, host and port under which the site is served, without a trailing slash.
    :returns: Percent-decoded path to resource.
    """
    return SiteBuilder(stories, base_url=base_url).build()


class SiteBuilder:
    """
    Renders the templates of the site.

    :param stories: In any order.
    :param base_url: As for `build_site`.
    """

    def __init__(self, stories: list[Story], *, base_url: str) -> None:
        self.stories = sorted(stories, key=lambda story: (story.published_at, story.id))
        self.base_url = base_url
        self.templates = jinja2.Environment(
            loader=jinja2.PackageLoader("scraper.samplesite"),
            autoescape=jinja2.select_autoescape(["html.j2", "xml.j2"]),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.latest = self.stories[-1].published_time if self.stories else datetime(1970, 1, 1, tzinfo=UTC)
        self.sections = sorted({story.section for story in self.stories})

    def build(self) -> dict[str, Resource]:
        """Make all resources."""
        site = {
            "/": self._page("front.html.j2", stories=self.stories[::-1][:40], title=SITE_NAME),
            "/robots.txt": self._text("robots.txt.j2", content_type="text/plain; charset=utf-8"),
            "/style.css": self._text("style.css", content_type="text/css; charset=utf-8"),
        }
        site |= self._section_pages() | self._article_pages() | self._sitemaps()
        return site

    def _section_pages(self) -> dict[str, Resource]:
        pages = {}
        for section in self.sections:
            stories = [story for story in self.stories[::-1] if story.section == section]
            pages[f"/section/{section}"] = self._page("front.html.j2", stories=stories, title=section.title())
        return pages

    def _article_pages(self) -> dict[str, Resource]:
        by_section: dict[str, list[Story]] = defaultdict(list)
        for story in self.stories:
            by_section[story.section].append(story)
        most_read = self.stories[:: max(1, len(self.stories) // MOST_READ)][:MOST_READ]
        return {
            story.path: self._page(
                "article.html.j2",
                modified_at=story.published_time,
                story=story,
                title=story.headline,
                related=_neighbours(story, by_section[story.section]),
                most_read=most_read,
            )
            for story in self.stories
        }

    def _sitemaps(self) -> dict[str, Resource]:
        by_month: dict[str, list[Story]] = defaultdict(list)
        for story in self.stories:
            by_month[f"{story.published_at:%Y-%m}"].append(story)
        maps, entries = {}, []
        for month, stories in sorted(by_month.items()):
            zipped = int(month[-2:]) % 2 == 0  # every other month, so that a crawl meets both forms
            path = f"/sitemaps/{month}.xml" + (".gz" if zipped else "")
            text = self._text(
                "sitemap.xml.j2", content_type=_XML, modified_at=stories[-1].published_time, stories=stories
            )
            maps[path] = _gzipped(text) if zipped else text
            entries.append((path, stories[-1].published_at))
        maps["/sitemap.xml"] = self._text("sitemap_index.xml.j2", content_type=_XML, entries=entries)
        return maps

    def _page(self, template: str, *, modified_at: datetime | None = None, **values: object) -> Resource:
        return self._text(template, content_type=_PAGE, modified_at=modified_at, **values)

    def _text(
        self, template: str, *, content_type: str, modified_at: datetime | None = None, **values: object
    ) -> Resource:
        shared = {"base_url": self.base_url, "site_name": SITE_NAME, "sections": self.sections}
        text = self.templates.get_template(template).render(shared | values)
        return Resource(content=text.encode(), content_type=content_type, modified_at=modified_at or self.latest)


def _neighbours(story: Story, stories: list[Story]) -> list[Story]:
    """Return the stories around one in its section, without itself."""
    at = stories.index(story)
    start = max(0, min(at - RELATED_LINKS // 2, len(stories) - RELATED_LINKS - 1))
    return [other for other in stories[start : start + RELATED_LINKS + 1] if other is not story]


def _gzipped(resource: Resource) -> Resource:
    return resource.model_copy(
        update={"content": gzip.compress(resource.content, mtime=0), "content_type": "application/gzip"}
    )
