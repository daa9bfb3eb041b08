from core.antonyms import TABLE, antonyms


def test_opposites_work_both_ways_and_in_every_form():
    assert "sold" in antonyms()["bought"]
    assert "bought" in antonyms()["sold"]
    assert "permitted" in antonyms()["forbidden"]
    assert "convicted" in antonyms()["acquitted"]


def test_no_word_is_its_own_opposite():
    assert not [word for word, others in antonyms().items() if word in others]


def test_the_licence_stands_beside_the_table():
    assert "Princeton University" in TABLE.with_name("LICENSE-WORDNET").read_text(encoding="utf-8")
