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


@pytest.mark.parametrize("content_type", ["text/html", "text/html; charset=iso-8859-1"])
def test_a_cut_character_does_not_spoil_a_page_in_utf_8(content_type):
    page = "<p>Für Größe und Übermut</p>" * 9
    assert decode(f"{page}\U0001f600".encode()[:-1], content_type=content_type) == f"{page}\ufffd"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("東京の天気は晴れです。", "shift_jis"),
        ("東京の天気は晴れです。", "euc_jp"),
        ("北京今天的天气很好。", "gb18030"),
        ("서울의 날씨는 맑다", "euc_kr"),
        ("Погода в Москве", "cp1251"),
        ("Погода в Москве", "koi8-r"),
        ("Ã© Ã¼ Größe", "cp1252"),
    ],
)
def test_other_sets_are_not_taken_for_damaged_utf_8(text, name):
    page = f'<meta charset="{name}"><p>{text * 9}</p>'
    assert decode(page.encode(name), content_type="text/html") == page


def test_declared_set_inside_the_page_is_used():
    page = '<meta charset="shift_jis"><p>東京の天気</p>'
    assert decode(page.encode("shift_jis"), content_type="text/html") == page


@pytest.mark.parametrize("name", ["idna", "undefined", "hex", "punycode", "rot13", "zip"])
def test_a_codec_that_is_no_character_set_is_not_believed(name):
    page = f'<meta charset="{name}"><p>Café “Größe”</p>'
    assert decode(page.encode("cp1252"), content_type=f"text/html; charset={name}") == page


def test_control_characters_and_xml_declaration_go():
    assert decode(b'<?xml version="1.0" encoding="utf-8"?><p>a\x00b\x08c</p>', content_type="") == "<p>abc</p>"
