import random
from datetime import UTC, datetime

import pytest

from core.errors import StoreError, StoreLockedError, StoreVersionError
from core.paths import SAMPLE
from core.types import Article
from core.urls import article_id, content_hash
from indexing import origins
from indexing.origins import OriginIndex, are_copies, sign
from scraper.samplesite.stories import read_stories

FIRST = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def stories():
    return read_stories(SAMPLE / "articles.jsonl.gz")


def article(url: str, body: str, *, headline: str = "Headline") -> Article:
    return Article(
        article_id=article_id(url),
        url=url,
        headline=headline,
        body=body,
        source=url.split("/")[2],
        first_seen_at=FIRST,
        content_hash=content_hash(headline, body),
    )


def longest(stories, count: int) -> list[str]:
    return [story.body for story in sorted(stories, key=lambda story: -len(story.body))[:count]]


def wire_copy(body: str) -> str:
    """A newspaper's edition of a text: dateline in front, last fifth cut, capitals and quotes changed, credit added."""
    words = body.split()
    kept = " ".join(words[: len(words) * 4 // 5]).replace("said", "SAID").replace('"', "'")
    return f"LONDON (Reuters) - {kept}\n\nReporting by our staff. All of it is from Reuters."


def test_wire_copy_of_other_publishers_shares_the_origin(stories):
    bodies = longest(stories, 40)
    with OriginIndex() as index:
        first = [index.assign(article(f"https://agency.test/{n}", body)) for n, body in enumerate(bodies)]
        copies = [index.assign(article(f"https://paper.test/{n}", wire_copy(body))) for n, body in enumerate(bodies)]
    assert [one.origin_id for one in first] == [one.article_id for one in first]
    assert [one.origin_id for one in copies] == [one.article_id for one in first]


def reworded(body: str, *, number: int) -> str:
    """One word in ten replaced by another word of the text."""
    words, rng = body.split(), random.Random(number)
    return " ".join(rng.choice(words) if rng.random() < 0.1 else word for word in words)


def shortened(body: str, *, number: int) -> str:
    """The first four tenths."""
    words = body.split()
    return " ".join(words[: len(words) * 4 // 10])


def with_another_lead(body: str, *, number: int) -> str:
    """The first thirty words written anew, the last fifth cut."""
    words = body.split()
    return " ".join([f"{word}{number}" for word in words[:30]] + words[30 : len(words) * 4 // 5])


@pytest.mark.parametrize("edit", [reworded, shortened, with_another_lead])
def test_edited_copies_share_the_origin(stories, edit):
    bodies = longest(stories, 60)
    with OriginIndex() as index:
        first = [index.assign(article(f"https://agency.test/{n}", body)) for n, body in enumerate(bodies)]
        edited = [
            index.assign(article(f"https://paper.test/{n}", edit(body, number=n), headline=f"Other words {n}"))
            for n, body in enumerate(bodies)
        ]
    found = sum(one.origin_id == other.article_id for one, other in zip(edited, first, strict=True))
    wrong = sum(
        one.origin_id not in {one.article_id, other.article_id} for one, other in zip(edited, first, strict=True)
    )
    assert found >= 57
    assert wrong == 0


def test_reports_that_share_a_quotation_stay_apart(stories):
    quotation, one, other = (" ".join(body.split()[:150]) for body in longest(stories, 3))
    with OriginIndex() as index:
        first = index.assign(article("https://a.test/1", f"{one} {quotation}"))
        second = index.assign(article("https://b.test/1", f"{quotation} {other}"))
    assert first.origin_id != second.origin_id


def test_an_exact_copy_is_found_behind_many_articles_with_the_same_footer(monkeypatch):
    monkeypatch.setattr(origins, "MAX_CANDIDATES", 20)
    rng = random.Random(1)
    footer = " ".join(f"footer{n}" for n in range(90))
    bodies = [" ".join(f"w{rng.randrange(9000)}" for _ in range(160)) + f"\n\n{footer}" for _ in range(61)]
    with OriginIndex() as index:
        first = [index.assign(article(f"https://agency.test/{n}", body)) for n, body in enumerate(bodies)]
        copy = index.assign(article("https://paper.test/1", bodies[-1]))
    assert [one.origin_id for one in first] == [one.article_id for one in first]
    assert copy.origin_id == first[-1].article_id


def test_different_stories_on_one_topic_stay_apart(stories):
    with OriginIndex() as index:
        origins = {index.assign(article(story.url, story.body)).origin_id for story in stories}
    assert len(origins) == len(stories)


def test_origins_are_remembered_between_runs(tmp_path, stories):
    path, body = tmp_path / "deep" / "origins.sqlite3", longest(stories, 1)[0]
    with OriginIndex(path) as index:
        original = index.assign(article("https://agency.test/a", body))
    with OriginIndex(path) as index:
        assert index.assign(article("https://paper.test/a", wire_copy(body))).origin_id == original.article_id


def test_changed_article_keeps_its_origin_and_is_found_by_its_new_text(stories):
    old, new = longest(stories, 2)
    with OriginIndex() as index:
        index.assign(article("https://agency.test/a", old))
        changed = index.assign(article("https://agency.test/a", new))
        copy_of_new = index.assign(article("https://paper.test/a", wire_copy(new)))
        copy_of_old = index.assign(article("https://paper.test/b", wire_copy(old)))
    assert changed.origin_id == changed.article_id == copy_of_new.origin_id
    assert copy_of_old.origin_id == copy_of_old.article_id


def test_short_texts_are_their_own_origin():
    with OriginIndex() as index:
        first = index.assign(article("https://a.test/1", "Schools are closed today."))
        second = index.assign(article("https://b.test/1", "Schools are closed today."))
    assert first.origin_id != second.origin_id


def test_what_was_not_committed_is_not_kept(tmp_path, stories):
    path, body = tmp_path / "origins.sqlite3", longest(stories, 1)[0]
    stopped = OriginIndex(path).open()
    stopped.assign(article("https://agency.test/a", body))
    stopped.close()
    with OriginIndex(path) as index:
        copy = index.assign(article("https://paper.test/a", wire_copy(body)))
    assert copy.origin_id == copy.article_id


def test_texts_without_spaces_are_compared():
    text = "".join(chr(0x4E00 + (n * n * 37) % 5000) for n in range(600))
    assert are_copies(sign(text), sign("東京発" + text[:500]))
    assert not are_copies(sign(text), sign(text[::-1]))


def clauses(number: int) -> str:
    """Text in the manner of Chinese and Japanese: clauses of 6 to 18 characters between points."""
    rng = random.Random(number)
    lengths = (rng.randint(6, 18) for _ in range(60))
    return "、".join("".join(chr(rng.randint(0x4E00, 0x9000)) for _ in range(length)) for length in lengths)


def test_edited_texts_without_spaces_share_the_origin():
    for number in range(20):
        text, rng = clauses(number), random.Random(number)
        signature = sign(text)
        edited = "".join("新" if rng.random() < 0.03 else character for character in text)
        assert are_copies(signature, sign(edited))
        assert are_copies(signature, sign(f"東京発 {text[: len(text) // 2]}"))
        assert not are_copies(signature, sign(clauses(number + 100)))


@pytest.mark.parametrize("content", [b"no database at all" * 100, b""])
def test_other_files_are_refused_and_empty_ones_are_filled(tmp_path, content):
    path = tmp_path / "origins.sqlite3"
    path.write_bytes(content)
    if content:
        with pytest.raises(StoreVersionError, match=r"origins\.sqlite3"):
            OriginIndex(path).open()
    else:
        with OriginIndex(path) as index:
            assert index.assign(article("https://a.test/1", "x")).origin_id == article_id("https://a.test/1")


def test_signatures_of_another_kind_are_refused(tmp_path):
    path = tmp_path / "origins.sqlite3"
    with OriginIndex(path) as index:
        index._db.execute("UPDATE meta SET value = 'other'")
    with pytest.raises(StoreVersionError, match="other"):
        OriginIndex(path).open()


def test_a_file_that_another_job_uses_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(origins, "LOCK_WAIT_S", 0.05)
    path = tmp_path / "origins.sqlite3"
    with OriginIndex(path) as index:
        index.assign(article("https://a.test/1", "x"))
        with pytest.raises(StoreLockedError, match=r"origins\.sqlite3") as caught:
            OriginIndex(path).open()
        assert "Delete" not in (caught.value.hint or "")
        index.commit()
        with OriginIndex(path), pytest.raises(StoreLockedError):
            index.assign(article("https://a.test/2", "y"))
        assert index.assign(article("https://a.test/2", "y")).origin_id == article_id("https://a.test/2")


def test_a_full_disk_is_not_called_a_wrong_file(tmp_path, stories):
    with OriginIndex(tmp_path / "origins.sqlite3") as found:
        found._db.execute("PRAGMA max_page_count = 1")  # no more than there are
        with pytest.raises(StoreError, match=r"origins\.sqlite3 cannot be written: .* full") as refused:
            _assign_all(found, stories[:5])
    assert "leave the file alone" in str(refused.value.hint)
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(StoreError, match="unable to open") as refused:
        OriginIndex(folder).open()
    assert not isinstance(refused.value, StoreVersionError)


def _assign_all(found, stories):
    for number, story in enumerate(stories):
        found.assign(article(f"https://one.example/{number}", story.body))


def test_constructor_touches_no_disk(tmp_path):
    OriginIndex(tmp_path / "origins.sqlite3")
    assert list(tmp_path.iterdir()) == []
