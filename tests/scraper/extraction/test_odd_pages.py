"""Pages as newsrooms meet them: undeclared character sets, walls that are none, layouts that part a story unlike."""

import json
from datetime import UTC, datetime

import pytest

from core.types import Article
from scraper.extraction.decode import decode
from scraper.extraction.extract import extract
from scraper.extraction.headline import read_headline
from scraper.rejection import Rejection, RejectionReason
from tests.scraper.extraction.test_parts import page

STORY = (
    "The ferry to Holm was stopped for two days after a crack was found in its hull.",
    "Divers had seen it on Friday, when they were looking for a lost anchor near the pier.",
    "The company said that a second ship would take over until the repair was finished.",
    "Islanders have asked for a bridge since 1961, and the county has planned three of them.",
)
URL = "https://www.example.org/news/ferry-to-holm"
BRIEF = "<p>A bus left the road near Holm on Monday.</p><p>Two passengers were taken to hospital, the police said.</p>"
FREE = '<meta property="og:type" content="article"><meta property="article:published_time" content="2024-03-05">'


def read(body: str, head: str = FREE) -> Article | Rejection:
    html = f'<html lang="en"><head><meta charset="utf-8"><title>Ferry to Holm stopped</title>{head}</head><body>{body}</body></html>'
    return extract(html.encode(), headers={}, url=URL, fetched_at=datetime(2024, 3, 6, tzinfo=UTC))


def story(body: str, head: str = FREE) -> Article:
    found = read(f"<article><h1>Ferry to Holm stopped</h1>{body}</article>", head)
    assert isinstance(found, Article), found
    return found


def paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


@pytest.mark.parametrize(
    ("charset", "language", "text"),
    [
        ("cp1251", "ru", "Паром на остров остановили на два дня."),
        ("koi8-r", "ru", "Паром на остров остановили на два дня."),
        ("shift_jis", "ja", "島へのフェリーは二日間運休した\u3002船体に亀裂が見つかったためである\u3002"),
        ("gb18030", "zh", "通往岛上的渡轮停航两天\uff0c因为船体发现了裂缝\u3002"),
        ("euc-kr", "ko", "섬으로 가는 배가 이틀 동안 멈췄다. 선체에 금이 발견됐다."),
        ("iso-8859-2", "pl", "Prom na wyspę stanął na dwa dni, bo pękł kadłub, mówią świadkowie."),
        ("cp1250", "cs", "Trajekt na ostrov stojí už dva dny, protože v trupu se našla trhlina."),
        ("cp1254", "tr", "Adaya giden gemi iki gün durduruldu, çünkü gövdesinde çatlak bulunmuştu."),
        ("cp1252", "de", "Die Fähre \u2013 sie ist von 1961 \u2013 fährt seit zwei Tagen nicht mehr."),
    ],
)  # fmt: skip
def test_undeclared_character_set_is_told_by_the_text(charset, language, text):
    html = f'<html lang="{language}"><head><title>x</title></head><body><p>{text} {text}</p></body></html>'
    assert text in decode(html.encode(charset), content_type="text/html")


@pytest.mark.parametrize(
    "notice",
    [
        "<dialog><p>Subscribe now to continue reading this article.</p></dialog>",
        '<div class="comments"><p>Why must I log in to read this article at all?</p></div>',
        '<section id="disqus_thread"><p>Sign in to continue reading</p></section>',
        "<p>A banner on the bus said \u201cSubscribe to continue reading\u201d.</p>",
        "<p>Auf dem Bus stand \u201eJetzt weiterlesen\u201c.</p>",
    ],
)
def test_brief_is_free_whatever_dialogs_readers_and_quotes_say(notice):
    assert story(BRIEF + notice).body.startswith("A bus left the road near Holm on Monday.")


def test_brief_behind_a_shown_notice_is_refused():
    found = read(f"<article><h1>Ferry</h1>{BRIEF}<p>Subscribe now to continue reading this article.</p></article>")
    assert isinstance(found, Rejection)
    assert found.reason is RejectionReason.PAYWALLED


def test_layouts_that_part_a_story_unlike_give_it_once():
    wide, narrow = paragraphs(*STORY), paragraphs(STORY[0], f"{STORY[1]} {STORY[2]}", STORY[3])
    body = story(f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>').body
    assert [body.count(text) for text in STORY] == [1, 1, 1, 1]


def test_what_shows_on_paper_only_is_not_read():
    sheet = "<style>@media print{.note{display:block}} .note{display:none}</style>"
    body = story(
        paragraphs(*STORY[:2])
        + sheet
        + '<p class="note">Printed at the reader\u2019s own risk.</p>'
        + paragraphs(*STORY[2:])
    )
    assert body.body == "\n\n".join(STORY)


@pytest.mark.parametrize(
    "text",
    [
        "You need to enable JavaScript to run this app. Please turn it on and load it again to read the story.",
        "Bitte aktivieren Sie JavaScript in Ihrem Browser, um diese Seite mit allen Teilen anzeigen zu k\u00f6nnen.",
        "JavaScript is disabled in your browser. This page cannot be shown without it, as its story is loaded later.",
    ],
)
def test_page_that_asks_for_scripts_is_no_article(text):
    assert isinstance(read(f"<main><h1>Ferry to Holm stopped</h1><p>{text}</p></main>"), Rejection)


def test_sentence_on_javascript_is_text():
    text = "JavaScript was invented in ten days in 1995, and the ferry company still runs its timetable on it today."
    assert text in story(paragraphs(*STORY, text)).body


def test_first_of_two_objects_in_one_script_is_read():
    own = {"@type": "NewsArticle", "headline": "Ferry to Holm stopped", "author": "Ann Lee"}
    other = {"@type": "NewsArticle", "headline": "Another story of that day", "author": "Tom Teller"}
    for between in ("\n", ",", ";"):
        script = f'<script type="application/ld+json">{json.dumps(own)}{between}{json.dumps(other)}</script>'
        assert story(paragraphs(*STORY), FREE + script).authors == ("Ann Lee",)


def test_label_before_a_heading_is_not_in_the_headline():
    shown = '<h1><span class="kicker">Traffic</span> <span>Ferry to Holm stopped</span></h1>'
    assert read_headline(page("<title>Ferry to Holm stopped | The Islander</title>", shown)) == "Ferry to Holm stopped"
