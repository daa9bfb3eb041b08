import pytest

from scraper.extraction.decode import decode

TEXT = "<p>Café “Größe” naïve £5</p>"


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (TEXT.encode("utf-8"), "text/html; charset=iso-8859-1"),
        (TEXT.encode("utf-8"), ""),
        (TEXT.encode("utf-8-sig"), "text/html"),
        (TEXT.encode("utf-16"), "text/html"),
        (TEXT.encode("cp1252"), "text/html; charset=utf-8"),
        (TEXT.encode("cp1252"), "text/html; charset=iso-8859-1"),
        (TEXT.encode("cp1252"), "text/html; charset=no-such-set"),
    ],
)
def test_wrong_and_missing_character_sets_are_seen_through(content, content_type):
    assert decode(content, content_type=content_type) == TEXT


def test_declared_set_inside_the_page_is_used():
    page = '<meta charset="shift_jis"><p>東京の天気</p>'
    assert decode(page.encode("shift_jis"), content_type="text/html") == page


@pytest.mark.parametrize("name", ["idna", "undefined", "hex", "punycode", "rot13", "zip"])
def test_a_codec_that_is_no_character_set_is_not_believed(name):
    page = f'<meta charset="{name}"><p>Café “Größe”</p>'
    assert decode(page.encode("cp1252"), content_type=f"text/html; charset={name}") == page


def test_control_characters_and_xml_declaration_go():
    assert decode(b'<?xml version="1.0" encoding="utf-8"?><p>a\x00b\x08c</p>', content_type="") == "<p>abc</p>"
