import gzip

import pytest

from core.errors import ConfigError, NotFoundError
from models.onnx_runtime import load_tokenizer
from training.data.examples import NEITHER, NOT_REFUTES, NOT_SUPPORTS, REFUTES, SUPPORTS, Example, Group
from training.data.packs import known_packs, read_pack
from training.data.sources.article_parts import edited
from training.data.sources.contrast_sets import grid_groups
from training.data.sources.counterfactual_passages import mirror_groups
from training.data.sources.distractors import Distractors
from training.data.sources.minimal_pairs import twin_groups
from training.data.sources.near_copies import near_copy_groups
from training.data.sources.questions import NO_ANSWER, around, held_out_titles, squad_groups, written_groups
from training.data.sources.sentences import sentence_groups
from training.data.sources.statements import statement_groups
from training.evidence.encode import UNKNOWN, encode_groups
from training.evidence.mixture import read_groups
from training.recipe import Source, find_recipe, recipe_names


def test_every_shipped_pack_states_file_hash_and_licence():
    assert len(known_packs()) > 20
    for pack in known_packs().values():
        assert len(pack.sha256) == 64
        assert pack.licence
        assert pack.file.endswith(".gz")


def test_a_pack_with_other_content_is_refused(data):
    with gzip.open(data / "tiny_claims.jsonl.gz", "wt") as out:
        out.write('{"id": "x"}\n')
    with pytest.raises(ConfigError, match="SHA-256"):
        read_pack(data, "tiny_claims")


def test_a_pack_that_is_not_there_is_named(tmp_path, data):
    with pytest.raises(NotFoundError, match="tiny_claims"):
        read_pack(tmp_path, "tiny_claims")
    with pytest.raises(ConfigError, match="no data pack 'x'"):
        read_pack(data, "x")


@pytest.mark.parametrize(
    ("packs", "each", "short"),
    [(("two_worlds", "two_worlds_more"), 3, 0), (("two_articles",), 3, 0), (("mirrored_wikipedia",), 2, 6)],
)
def test_packs_that_ship_are_read_from_the_package_and_turn_every_statement(tmp_path, packs, each, short):
    root = tmp_path / "empty"
    rows = [row for name in packs for row in read_pack(root, name)]
    assert len({row["id"] for row in rows}) == len(rows) > 200
    turns = [("refutes", "supports")] * each + [("supports", "refutes")] * each
    wanted = sorted([*turns, ("neutral", "refutes"), ("neutral", "supports")])
    labels = [sorted((one["label"], one["mirror_label"]) for one in row["statements"]) for row in rows]
    assert all(row["passage"] != row["mirror"] for row in rows)
    assert labels.count(wanted) == len(rows) - short  # short rows lack one statement
    assert {row["split"] for row in rows} == {"train", "dev"}


@pytest.mark.parametrize(
    ("pack", "splits"),
    [
        ("mirrored_news", {"train", "dev"}),
        ("mirrored_news_more", {"train"}),
        ("mirrored_news_third", {"train"}),
        ("mirrored_news_fourth", {"train"}),
    ],
)
def test_mirrors_of_news_hold_edits_and_turn_every_statement(tmp_path, pack, splits):
    rows = read_pack(tmp_path, pack)
    assert len({row["id"] for row in rows}) == len(rows) > 1000
    turns = [("refutes", "supports")] * 3 + [("supports", "refutes")] * 3
    wanted = sorted([*turns, ("neutral", "refutes"), ("neutral", "supports")])
    for row in rows:
        assert sorted((one["label"], one["mirror_label"]) for one in row["statements"]) == wanted
        places = [place for start, end, _ in row["edits"] for place in (start, end)]
        assert places == sorted(places)
        assert any(text for _, _, text in row["edits"])
    assert {row["split"] for row in rows} == splits


def test_of_a_pack_the_first_rows_can_be_asked_for(data):
    whole, some = (mirror_groups(data, ["tiny_mirrors"], far=0, headlines=0, first=first) for first in (None, 4))
    assert 0 < len(some) < len(whole)
    assert some == whole[: len(some)]


def test_a_statement_and_its_mirror_are_one_group(data):
    groups = mirror_groups(data, ["tiny_mirrors"], far=0, headlines=0)
    pairs = [group for group in groups if len(group.examples) == 2]
    assert len(pairs) == 2 * 9  # two turning statements, nine passages of the training part
    for group in pairs:
        first, second = group.examples
        assert first.query == second.query
        assert first.passage != second.passage
        assert {first.relation, second.relation} == {SUPPORTS, REFUTES}


def test_both_passages_of_a_mirror_have_the_same_headline(data):
    groups = mirror_groups(data, ["tiny_mirrors"], far=0, headlines=1.0)
    for group in groups:
        assert all(example.passage.startswith("Bridge of ") for example in group.examples)


def test_titles_of_news_articles_come_from_a_pack_of_their_own(data):
    groups = mirror_groups(data, ["tiny_mirrors"], far=0, headlines=1.0, titles="tiny_titles")
    heads = {group.examples[0].passage.split(". ")[0] for group in groups}
    assert "Bridge opens at last" in heads  # the one that the pack names; the others keep Wikipedia's
    assert any(head.startswith("Bridge of ") for head in heads)


def test_a_passage_and_its_mirror_may_have_headlines_of_their_own(tmp_path):
    groups = mirror_groups(tmp_path, ["two_articles"], far=0, headlines=1.0)
    rows = {row["passage"]: row for row in read_pack(tmp_path, "two_articles") if row["split"] == "train"}
    assert len(groups) == sum(len(row["statements"]) for row in rows.values())
    for group in groups:
        told, mirrored = (example.passage for example in group.examples)
        row = next(row for passage, row in rows.items() if told.endswith(passage))
        assert told == f"{row['headline']}. {row['passage']}"
        assert mirrored == f"{row['mirror_headline']}. {row['mirror']}"
    assert any(row["headline"] != row["mirror_headline"] for row in rows.values())


def test_parts_of_articles_get_their_texts_from_the_pack_of_articles(data):
    groups = mirror_groups(data, ["tiny_parts"], far=0, headlines=1.0, titles="tiny_articles", articles="tiny_articles")
    assert len(groups) == 2 * 9
    heads = set()
    for group in groups:
        assert {example.relation for example in group.examples} == {SUPPORTS, REFUTES}
        passage, mirror = (example.passage for example in group.examples)
        assert mirror == passage.replace("was opened by Mayor Marsh.", "was closed by Mayor Marsh.") != passage
        head, text = passage.split(". ", 1)
        assert text.startswith("The bridge in ")  # one headline, not two
        heads.add(head.removeprefix("Bridge in ").split()[-1].startswith("("))
    assert heads == {True, False}


def test_sentences_of_parts_of_articles_are_set_before_both_texts(data):
    groups = sentence_groups(data, ["tiny_parts"], articles="tiny_articles")
    assert len(groups) == 2 * 9
    for group in groups:
        own, other = group.examples
        assert (own.relation, other.relation) == (SUPPORTS, NOT_SUPPORTS)
        assert own.query in own.passage
        assert own.query not in other.passage


def test_far_passages_are_neither_and_irrelevant(data):
    plain = statement_groups(data, ["tiny_claims"])
    mixed = statement_groups(data, ["tiny_claims"], far=1.0)
    far = [group.examples[0] for group in mixed if group.examples[0].relevant is False]
    assert far
    assert {example.relation for example in far} == {NEITHER}
    assert len(mixed) == len(plain) + len(far)
    own = {(group.examples[0].query, group.examples[0].passage) for group in plain}
    assert not own & {(example.query, example.passage) for example in far}


def test_a_far_passage_shares_words_with_the_statement_and_is_of_another_article(data):
    plain = mirror_groups(data, ["tiny_mirrors"], far=0)
    mixed = mirror_groups(data, ["tiny_mirrors"], far=1.0)
    assert mixed[: len(plain)] == plain
    far = [group.examples[0] for group in mixed[len(plain) :]]
    assert len(far) == 3 * 9  # each statement of each passage of the training part
    assert {(example.relation, example.relevant) for example in far} == {(NEITHER, False)}
    assert not {(example.query, example.passage) for example in far} & {
        (example.query, example.passage) for group in plain for example in group.examples
    }


def test_distractors_come_from_the_best_of_other_articles():
    passages = ["The harbour bridge opened in May.", "The harbour bridge was painted.", "A cat slept all day long."]
    distractors = Distractors(passages * 5, ["a", "b", "c"] * 5, seed="test")
    assert distractors.draw(["The harbour bridge opened."], ["a"]) == [passages[1]]
    assert Distractors(passages[:1], ["a"], seed="test").draw(["The harbour bridge opened."], ["a"]) == [None]


def test_twins_stand_before_their_part_of_the_article(data):
    groups = twin_groups(data, ["tiny_twins"], articles="tiny_articles", headlines=0, elsewhere=0, far=0)
    assert len(groups) == 2 * 9  # a pair and an open statement for each row of the training part
    for pair, left_open in zip(groups[::2], groups[1::2], strict=True):
        true, false = pair.examples
        assert (true.relation, false.relation) == (SUPPORTS, REFUTES)
        assert true.query == false.query.replace("closed", "opened")
        town = true.query.split()[3].removesuffix("'s")
        passage = f"The bridge in {town} was opened by Mayor Marsh."
        assert {example.passage for group in (pair, left_open) for example in group.examples} == {passage}
        assert [example.relation for example in left_open.examples] == [NEITHER]


def test_a_title_in_front_is_the_same_for_both_twins(data):
    groups = twin_groups(data, ["tiny_twins"], articles="tiny_articles", headlines=1.0, elsewhere=0, far=0)
    assert all(len({example.passage for example in group.examples}) == 1 for group in groups)
    assert all(group.examples[0].passage.startswith("Bridge in ") for group in groups)


def test_other_parts_of_the_article_and_other_articles_leave_twins_open(data):
    plain = twin_groups(data, ["tiny_twins"], articles="tiny_articles", headlines=0, elsewhere=0, far=0)
    mixed = twin_groups(data, ["tiny_twins"], articles="tiny_articles", headlines=0, elsewhere=1.0, far=1.0)
    assert mixed[: len(plain)] == plain
    apart = [group.examples[0] for group in mixed[len(plain) :]]
    assert {example.relation for example in apart} == {NEITHER}
    elsewhere = [example for example in apart if example.relevant is None]
    assert len(elsewhere) == 3 * 9  # each statement of each row
    assert all("Who was where" in example.passage and "Marsh" not in example.passage for example in elsewhere)
    far = [example for example in apart if example.relevant is False]
    assert far
    for example in far:
        assert "Marsh" in example.passage
        assert not any(town in example.query and town in example.passage for town in ("bath", "cork", "derby"))


def test_a_sentence_alone_does_not_refute_the_true_twin_nor_support_the_false(data):
    plain = twin_groups(data, ["tiny_twins"], articles="tiny_articles", elsewhere=0, far=0)
    mixed = twin_groups(data, ["tiny_twins"], articles="tiny_articles", elsewhere=0, far=0, narrow=1.0)
    alone = [group.examples[0] for group in mixed[len(plain) :]]
    assert len(alone) == 2 * 9
    for example in alone:
        assert example.relation == (NOT_REFUTES if "opened" in example.query else NOT_SUPPORTS)
        assert example.passage.startswith("Bridge in ")
        assert example.passage.endswith("was opened by Mayor Marsh.")


def test_a_grid_turns_both_twins_under_the_mirror(data):
    groups = grid_groups(data, ["tiny_grids"], twins="tiny_twins", articles="tiny_articles", headlines=1.0)
    assert len(groups) == 9 - 1  # rows of the training part, but the one whose pair does not turn
    for group in groups:
        assert [example.relation for example in group.examples] == [SUPPORTS, REFUTES, REFUTES, SUPPORTS]
        assert len({example.query for example in group.examples[::2]}) == 1
        assert len({example.query for example in group.examples[1::2]}) == 1
        (passage,), (mirror,) = ({example.passage for example in group.examples[at : at + 2]} for at in (0, 2))
        assert passage.startswith("Bridge in ")
        assert passage.split(". ")[1] == mirror.replace("was closed by", "was opened by")
        assert "was closed by" in mirror


def test_edits_replace_remove_and_add():
    assert edited("one two three", [(0, 3, "1"), (4, 8, ""), (13, 13, "!")]) == "1 three!"
    assert edited("one", []) == "one"


def test_folds_keep_rows_apart(data):
    some = statement_groups(data, ["tiny_claims"], folds=[0, 1])
    rest = statement_groups(data, ["tiny_claims"], folds=[2, 3, 4, 5, 6, 7, 8, 9])
    assert len(some) + len(rest) == 12
    assert not {group.examples[0].query for group in some} & {group.examples[0].query for group in rest}


def test_held_out_titles_are_never_trained_on(data):
    train = squad_groups(data, "tiny_squad", unanswerable=0)
    held_out = squad_groups(data, "tiny_squad", held_out=True, unanswerable=0)
    assert len(held_out) == 44
    assert len(train) + len(held_out) == 60
    assert not {group.examples[0].query for group in train} & {group.examples[0].query for group in held_out}


def test_held_out_titles_do_not_depend_on_order():
    titles = [f"title {number}" for number in range(100)]
    assert held_out_titles(titles) == held_out_titles(titles[::-1])


def test_squad_spans_are_the_answers_and_near_paragraphs_have_none(data):
    examples = [group.examples[0] for group in squad_groups(data, "tiny_squad", unanswerable=1.0, trimmed=0.5)]
    answered = [example for example in examples if example.span != NO_ANSWER]
    assert {example.passage[slice(*example.span)] for example in answered} == {"Friday"}
    without = [example for example in examples if example.span == NO_ANSWER]
    assert len(without) == len(answered)
    assert all("Friday" not in example.passage for example in without)


def test_around_keeps_the_sentence_and_its_neighbours():
    passage = "One here. Two there. Three is it. Four follows. Five ends."
    start = passage.index("Three")
    cut, span = around(passage, (start, start + 5))
    assert cut == "Two there. Three is it. Four follows."
    assert cut[slice(*span)] == "Three"


def test_written_questions_have_answers_or_none(data):
    examples = [group.examples[0] for group in written_groups(data, ["tiny_mirrors"])]
    assert sum(example.span == NO_ANSWER for example in examples) == 9
    assert {example.passage[slice(*example.span)] for example in examples if example.span != NO_ANSWER} == {"Monday"}


def test_written_questions_stand_behind_headlines_with_an_answer_and_without(data):
    plain = [group.examples[0] for group in written_groups(data, ["tiny_mirrors"], headlines=0.0)]
    headed = [
        group.examples[0] for group in written_groups(data, ["tiny_mirrors"], headlines=1.0, titles="tiny_titles")
    ]
    assert any(example.passage.startswith("Bridge opens at last. ") for example in headed)
    assert [example.query for example in plain] == [example.query for example in headed]
    for bare, behind in zip(plain, headed, strict=True):
        assert behind.passage.endswith(f". {bare.passage}")
        assert (behind.span == NO_ANSWER) is (bare.span == NO_ANSWER)
        assert behind.passage[slice(*behind.span)] == bare.passage[slice(*bare.span)]


def test_squad_stands_behind_titles_in_a_share_of_cases(data):
    plain, some, every = (
        [group.examples[0] for group in squad_groups(data, "tiny_squad", unanswerable=1.0, headlines=share)]
        for share in (0.0, 0.5, 1.0)
    )
    headed = [one.passage != bare.passage for one, bare in zip(some, plain, strict=True)]
    assert 0.2 < sum(headed) / len(headed) < 0.8
    for bare, behind in zip(plain, every, strict=True):
        head, separator, rest = behind.passage.partition(". ")
        assert head
        assert separator
        assert rest == bare.passage
        assert behind.passage[slice(*behind.span)] == bare.passage[slice(*bare.span)]


def test_rows_mark_the_answers_tokens(tokenizer_file):
    passage = "It cost pounds. Mayor Marsh opened it."
    at = passage.index("Mayor")
    group = Group((Example("Who opened it?", passage, span=(at, at + len("Mayor Marsh"))),))
    tokenizer = load_tokenizer(tokenizer_file)
    (row,) = encode_groups(tokenizer, [group], max_tokens=64)[0]
    assert [tokenizer.id_to_token(number) for number in row.token_ids[row.start : row.end + 1]] == ["mayor", "marsh"]
    assert row.relation == UNKNOWN
    assert tokenizer.id_to_token(row.token_ids[row.passage_at - 1]) == "[SEP]"


def test_groups_that_are_too_long_are_left_out_whole(tokenizer_file):
    short, long = Example("Who?", "It was the mayor."), Example("Who?", "It was the mayor. " * 20)
    encoded = encode_groups(load_tokenizer(tokenizer_file), [Group((short, long)), Group((short,))], max_tokens=32)
    assert [len(group) for group in encoded] == [1]


def test_a_wrong_option_names_the_source(data):
    with pytest.raises(ConfigError, match="statements takes no such options"):
        read_groups(Source(kind="statements", packs=("tiny_claims",), rows=1, options={"fold": [1]}), data)


def test_near_copies_turn_in_the_statement_and_in_the_passage(near_data):
    groups = near_copy_groups(near_data, ["tiny_news"], alone=1.0, headlines=0.0, of_an_article=9)
    fours = [group.examples for group in groups if len(group.examples) == 4]
    assert fours
    for true_told, false_told, true_turned, false_turned in fours:
        relations = [one.relation for one in (true_told, false_told, true_turned, false_turned)]
        assert relations == [SUPPORTS, REFUTES, REFUTES, SUPPORTS]
        assert (true_told.passage, true_turned.passage) == (false_told.passage, false_turned.passage)
        assert (true_told.query, false_told.query) == (true_turned.query, false_turned.query)
        assert false_turned.passage == false_turned.query
    assert any("Friday" not in one[1].query and "Friday" in one[0].query for one in fours)


def test_what_an_edit_leaves_open_is_neither_and_follows_from_the_edited_passage(near_data):
    groups = near_copy_groups(near_data, ["tiny_news"], alone=1.0, headlines=0.0, of_an_article=9)
    threes = [group.examples for group in groups if len(group.examples) == 3]
    assert threes
    for true, left_open, told in threes:
        assert [true.relation, left_open.relation, told.relation] == [SUPPORTS, NEITHER, SUPPORTS]
        assert left_open.query == told.query == told.passage != true.query
        assert "charged with" in true.passage


def test_near_copies_stand_behind_headline_and_date_or_among_neighbours_and_leave_articles_out(near_data):
    alone = near_copy_groups(near_data, ["tiny_news"], alone=1.0, headlines=1.0)
    among = near_copy_groups(near_data, ["tiny_news"], alone=0.0, headlines=0.0)
    assert all(one.examples[0].passage.startswith("Clerk in court (2019-05-06). ") for one in alone)
    assert all(len(one.examples[0].passage.split(". ")) > 1 for one in among)
    assert near_copy_groups(near_data, ["tiny_news"], most=0) == []
    assert len(near_copy_groups(near_data, ["tiny_news"], of_an_article=2)) == 2
    assert near_copy_groups(near_data, ["tiny_news"], without=["tiny_used"]) == []


@pytest.mark.parametrize("name", recipe_names())
def test_the_recipes_of_the_repository_are_valid_and_name_packs_that_are_known(name):
    recipe = find_recipe(name)
    assert recipe.name == name
    for source in getattr(recipe, "sources", ()):
        for pack in source.packs:
            assert known_packs()[pack].licence
