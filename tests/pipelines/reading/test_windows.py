from haystack import Document

from pipelines.reading.windows import best_pieces, cut, query_weights, share, word_stems

SENTENCE = "The council spoke about roads and schools for a very long time today. "


def document(text, headline="A headline", start=0):
    return Document(content=text, meta={"headline": headline, "start": start})


def test_cut_keeps_whole_sentences_and_every_word():
    text = (SENTENCE * 30).strip()
    spans = cut(text)
    assert len(spans) == 4
    assert " ".join(text[start:end] for start, end in spans) == text
    assert all(text[start:end].endswith(".") for start, end in spans)


def test_short_passage_is_one_piece():
    assert cut(SENTENCE.strip()) == ((0, len(SENTENCE.strip())),)


def test_the_piece_that_shares_rare_words_is_read():
    text = SENTENCE * 20 + "A narwhal tusk was used as a weapon by the cook. " + SENTENCE * 20
    (piece,) = best_pieces("Who used a narwhal tusk?", [document(text, start=7)], max_pieces=1)
    assert "narwhal" in piece.text
    assert text[piece.start - 7 :].startswith(piece.text)


def test_pieces_come_in_the_order_of_the_ranking():
    pieces = best_pieces("roads", [document(SENTENCE * 20), document(SENTENCE * 3)], max_pieces=10)
    assert [piece.rank for piece in pieces] == sorted(piece.rank for piece in pieces)


def test_blank_passages_are_left_out():
    assert best_pieces("roads", [document(""), document(" ")], max_pieces=10) == []


def test_weights_sum_to_one_and_rare_words_weigh_more():
    weights = query_weights("narwhal roads", ["roads", "roads and more", "narwhal"])
    assert round(sum(weights.values()), 9) == 1
    assert weights["narwh"] > weights["roads"]
    assert round(share(weights, word_stems("narwhal roads")), 9) == 1
