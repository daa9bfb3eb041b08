import pytest

from scraper.extraction.authors import read_authors
from scraper.extraction.page import Page, parse_page

TEXT = "<p>" + "The council met on Monday and spoke about the bridge for three hours. " * 3 + "</p>"


def page(body: str, head: str = "") -> Page:
    markup = f"<html><head>{head}</head><body><h1>Council meets</h1>{body}</body></html>"
    return parse_page(markup.encode(), url="https://www.post.test/a/1")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f'<div class="post-meta"><span class="authorname">Ann Lee</span></div>{TEXT}', ("Ann Lee",)),
        (f'<ul class="metaAuthorList"><li>Ann Lee</li></ul>{TEXT}', ("Ann Lee",)),
        (f'<ul><li class="authors__list-item"><span>von</span> <b>Ann Lee</b></li></ul>{TEXT}', ("Ann Lee",)),
        (
            f'<div><a class="author" href="#">Ann Lee</a><a class="author" href="#">Bo Ek</a></div>{TEXT}'
            '<section><span class="author">Cy Other</span></section>',
            ("Ann Lee", "Bo Ek"),
        ),
        (f'<p class="x">5 May <a href="/profile/ann-lee">Ann Lee</a></p>{TEXT}', ("Ann Lee",)),
        (f"<div>By Ann Lee and Bo van der Ek</div>{TEXT}", ("Ann Lee", "Bo van der Ek")),
        (f"<p><strong>Ann Lee/Bo Ek</strong></p>{TEXT}", ("Ann Lee", "Bo Ek")),
        (f'{TEXT}<p style="text-align:right"><strong>L\u00ea Lan</strong></p>', ("L\u00ea Lan",)),
    ],
)  # fmt: skip
def test_authors_are_found_where_the_page_shows_them(body: str, expected: tuple[str, ...]) -> None:
    assert read_authors(page(body)) == expected


@pytest.mark.parametrize(
    "body",
    [
        f"<p><strong>A bitter end</strong></p>{TEXT}",
        f"<p>By Monday the bridge was open.</p>{TEXT}",
        f'<div class="author-social">Twitter Facebook</div>{TEXT}',
        f'{TEXT}<div class="comment-author">Ann Lee</div>',
        f'{TEXT}<div class="author-card">Ann Lee</div>',
        f"<p><strong>What We Know</strong> so far</p>{TEXT}",
    ],
)
def test_other_lines_are_no_bylines(body: str) -> None:
    assert read_authors(page(body)) == ()


def test_titles_and_the_sites_address_are_dropped_beside_people() -> None:
    head = '<meta name="author" content="Ann Lee, Professor of Law at the University of the North, post.test">'
    assert read_authors(page(TEXT, head)) == ("Ann Lee",)


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ("Ann Lee, Political Editor", ("Ann Lee",)),
        ("By Ann Lee in New York and Bo Ek", ("Ann Lee", "Bo Ek")),
        ("Ann Lee and agencies", ("Ann Lee",)),
        ("Ann Lee, Reuters", ("Ann Lee", "Reuters")),
        ("Sports Reporter", ("Sports Reporter",)),
        ("Jean-Luc in t Veld", ("Jean-Luc in t Veld",)),
    ],
)
def test_roles_and_places_go_and_agencies_stay(author: str, expected: tuple[str, ...]) -> None:
    assert read_authors(page(TEXT, f'<meta name="author" content="{author}">')) == expected


def test_desk_gives_way_to_the_person_that_the_page_shows() -> None:
    head = '<meta name="author" content="Staff Reporter">'
    assert read_authors(page(f'<p class="byline">By Ann Lee</p>{TEXT}', head)) == ("Ann Lee",)
    assert read_authors(page(TEXT, head)) == ("Staff Reporter",)
