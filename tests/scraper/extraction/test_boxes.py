"""Boxes between the paragraphs of a story, in the languages that a newsroom's crawl meets: none is evidence."""

import pytest

from tests.scraper.extraction.test_odd_pages import STORY, paragraphs, story


@pytest.mark.parametrize(
    "box",
    [
        '<ul><li><strong>Interview: </strong><a href="/a">We were lucky to reach the shore</a></li></ul>',
        '<p><b>Hintergrund:</b> <a href="/a">Warum die F\u00e4hren so alt sind</a></p>',
        '<li><span class="kicker">Trafikk</span><a href="/a">Nye ferger blir forsinket igjen</a></li>',
        '<p><span>L\u00e4s mer</span> <a href="/a">S\u00e5 p\u00e5verkas resen\u00e4rerna i v\u00e5r</a></p>',
        "<p>\u25a0\u95a2\u9023\u8a18\u4e8b</p>",
        "<p>Etiketler :</p>",
    ],
)
def test_box_between_paragraphs_is_left_out(box):
    assert story(paragraphs(*STORY[:2]) + box + paragraphs(*STORY[2:])).body == "\n\n".join(STORY)


@pytest.mark.parametrize(
    "text",
    [
        'The mayor said: <a href="/a">We were lucky to reach the shore.</a>',
        "Das Schiff ist <b>alt:</b> Es f\u00e4hrt <a href='/a'>auf dieser Strecke</a>, sagte der Kapit\u00e4n.",
        "Was this story useful to the police? Its author does not think so, and said so in court.",
        "3 minutes is all it took.",
    ],
)
def test_sentence_that_looks_like_a_box_stays(text):
    told = text.replace('<a href="/a">', "").replace("<a href='/a'>", "").replace("</a>", "")
    assert told.replace("<b>", "").replace("</b>", "") in story(paragraphs(*STORY, text, STORY[0] + " Again.")).body


@pytest.mark.parametrize(
    "heading",
    ["<h2>Ferry to Holm stopped</h2>", "<p>Ferry to Holm stopped</p>"],
)
def test_headline_does_not_begin_the_text(heading):
    assert story(heading + paragraphs(*STORY)).body == "\n\n".join(STORY)


@pytest.mark.parametrize(
    "box",
    [
        '<div class="card"><h4>Daily headlines</h4><p>Local news for you.</p><form><input type="email"></form></div>',
        '<div><h4>Lamp</h4><p>Bright and cheap.</p><a href="/s" rel="sponsored nofollow">View deal</a></div>',
        '<div class="RelatedStoriesstyled__R-sc-1"><h3>Fish prices rise</h3><p>Cod is dear this year.</p></div>',
        '<acme-newsletter><p>Every morning at seven, for nothing.</p></acme-newsletter>',
        "<p>Join our WhatsApp channel to get the news on your phone.</p>",
        "<p>H\u00e4mta hem v\u00e5r app och f\u00f6lj nyheterna d\u00e4r du \u00e4r, s\u00e5 missar du inget.</p>",
        "<p>We may earn a commission when you buy through links.</p>",
        "<p>Artikeln forts\u00e4tter efter annonsen</p>",
        '<p>Mehr dazu: <a href="/a">Hafen gesperrt</a> | <a href="/b">Kapit\u00e4n angeklagt</a></p>',
        "<p>* * *</p>",
    ],
)  # fmt: skip
def test_box_of_the_house_is_left_out(box):
    assert story(paragraphs(*STORY[:2]) + box + paragraphs(*STORY[2:])).body == "\n\n".join(STORY)


@pytest.mark.parametrize(
    "text",
    [
        "\u201cJoin our WhatsApp channel,\u201d the mayor told the fishermen, who had no telephones.",
        "The company said its app had lost half of its users since the spring.",
        "Support for independent journalism has fallen, a survey of readers says.",
        "The ministry may earn a commission of two per cent on each of the ships that it sells.",
    ],
)
def test_statement_about_an_offer_stays(text):
    assert text in story(paragraphs(*STORY, text, STORY[0] + " Again.")).body
