import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from core.errors import ModelError
from core.paths import MODELS
from models.onnx_runtime import load_tokenizer
from models.windows import MAX_QUERY_TOKENS, MAX_TOKENS, pair_windows, reads_whole


@pytest.fixture(scope="module")
def tokenizer():
    return load_tokenizer(MODELS / "evidence-minilm-l6" / "tokenizer.json")


@pytest.fixture(scope="module")
def mpnet_tokenizer():
    """Special tokens of MPNet, and those of BERT that its vocabulary still holds."""
    special = ["<s>", "<pad>", "</s>", "[UNK]", "[CLS]", "[SEP]", "[PAD]"]
    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate([*special, "a", "b", "x"])}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


def tokens(count: int) -> str:
    return "a " * count


@pytest.mark.parametrize("count", [1, 64, 65, 128])
def test_a_query_is_read_whole_up_to_the_limit(tokenizer, count):
    (window,) = pair_windows(tokenizer, [(tokens(count), "b b b")])
    query, passage = (tokenizer.encode(text, add_special_tokens=False).ids for text in (tokens(count), "b b b"))
    head, tail = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    assert window.token_ids == [head, *query, tail, *passage, tail]
    assert window.passage_at == count + 2
    assert reads_whole(tokenizer, tokens(count))


def test_a_longer_query_is_cut_and_known_to_be(tokenizer):
    (window,) = pair_windows(tokenizer, [(tokens(MAX_QUERY_TOKENS + 1), "b")])
    assert window.passage_at == MAX_QUERY_TOKENS + 2
    assert not reads_whole(tokenizer, tokens(MAX_QUERY_TOKENS + 1))


def test_beside_the_longest_query_the_passage_is_still_read_to_its_end(tokenizer):
    passage = "b " * 400
    windows = pair_windows(tokenizer, [(tokens(MAX_QUERY_TOKENS), passage)])
    assert all(len(window.token_ids) <= MAX_TOKENS for window in windows)
    assert len({span for window in windows for span in window.offsets}) == 400
    assert windows[-1].offsets[-1][1] == len(passage.rstrip())


def test_mpnet_has_a_frame_of_its_own(mpnet_tokenizer):
    (window,) = pair_windows(mpnet_tokenizer, [("a a x", "b b")])
    assert window.token_ids == [0, 7, 7, 9, 2, 2, 8, 8, 2]
    assert window.passage_at == 6
    assert window.offsets == [(0, 1), (2, 3)]
    windows = pair_windows(mpnet_tokenizer, [("a", "b " * 600)])
    assert max(len(window.token_ids) for window in windows) == MAX_TOKENS
    assert len({span for window in windows for span in window.offsets}) == 600


def test_a_tokenizer_of_another_family_is_refused():
    with pytest.raises(ModelError, match="neither <s> and </s> nor"):
        pair_windows(Tokenizer(WordLevel({"a": 0, "?": 1}, unk_token="?")), [("a", "a")])
