"""Evidence that changes after people have decided: what is noted, what is not, and what a killed pass leaves."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.types import Verdict
from service.desk import CheckPatch, CheckState, DecisionPatch, Reviewer
from service.desk.changes import Changes
from tests.service.desk.conftest import ADA, World
from tests.service.desk.evidence import BODY, CLAIM, REFUTE, SECOND, SUPPORT, Index, make_article


def test_nothing_changed_is_no_news(world: World) -> None:
    check = world.check()
    world.index.put(make_article("else", "Bread was dearer in spring.", headline="Bread"))
    asked = len(world.asker.asked)
    report = world.look()
    assert (report.noted, report.by_article, report.searched, len(world.asker.asked)) == (0, 0, 1, asked)
    assert world.look().searched == 0, "an index that is as it was is not searched again"
    assert world.desk.get(check.check_id) == check


def test_a_correction_brings_an_approved_check_back(world: World) -> None:
    check = world.check()
    world.index.put(make_article("dam", f"{REFUTE}\n\n{SECOND}\n\nCorrection: it does not.", correction=True, day=2))
    report = world.look()
    [change] = report.changes
    assert (change.kind, change.old_verdict, change.new_verdict) == ("corrected", Verdict.VERIFIED, Verdict.REFUTED)
    assert change.articles[0].lost_quotes == (SUPPORT,)
    now = world.desk.get(check.check_id)
    assert (now.state, now.changed, now.decision, now.verdict) == (CheckState.IN_REVIEW, True, None, Verdict.REFUTED)
    assert world.desk.runs(check.check_id) == [change.old_run_id, change.new_run_id]
    assert "was corrected; the answer turned from verified to refuted" in change.reason()
    steps = world.desk.history(check.check_id)
    assert [step.action for step in steps][-2:] == ["evidence_changed", "asked_again"]
    assert steps[-2].changes["decision"][0]["decided_by"] == ["Ada"], "what people decided stays in the history"
    assert world.look().noted == 0, "it is told once"


def test_a_decision_settles_what_changed(world: World) -> None:
    check = world.check()
    world.index.put(make_article("dam", BODY.replace("Elm Creek holds", "Elm Creek can hold"), day=2))
    world.look()
    decided = DecisionPatch(verdict=Verdict.REFUTED, reason_code="outdated")
    world.desk.change(check.check_id, CheckPatch(decision=decided), who=ADA)
    assert not world.desk.get(check.check_id).changed
    world.index.put(make_article("else", "Bread was dearer in spring.", headline="Bread"))
    assert world.look().noted == 0
    assert world.desk.get(check.check_id).state is CheckState.OVERRIDDEN


def test_a_revision_that_leaves_quotes_and_verdict_is_no_news(world: World) -> None:
    check = world.check()
    world.index.put(make_article("dam", f"{SUPPORT}\n\nRain fell in the valley.", day=2))
    report = world.look()
    assert (report.by_article, report.asked, report.noted) == (1, 1, 0)
    assert world.desk.get(check.check_id).state is CheckState.APPROVED
    assert world.look().by_article == 0


def test_a_lost_quote_is_news_whatever_the_verdict(world: World) -> None:
    world.index.put(make_article("other", f"{SUPPORT}\n\nMore.", headline="Elm Creek dam, again"))
    check = world.check()
    world.index.put(make_article("dam", SECOND + " Elm Creek dam.", day=2))
    [change] = world.look().changes
    assert (change.kind, change.turned) == ("revised", False)
    assert world.desk.get(check.check_id).state is CheckState.IN_REVIEW


def test_an_article_that_is_only_mentioned_may_change(world: World) -> None:
    world.index.put(make_article("aside", "Elm Creek dam was painted green.", headline="Elm Creek dam is green"))
    check = world.check()
    world.index.put(
        make_article("aside", "Elm Creek dam was painted blue.", headline="Elm Creek dam", correction=True, day=2)
    )
    report = world.look()
    assert (report.by_article, report.asked, report.noted) == (1, 1, 0)
    assert world.desk.get(check.check_id).state is CheckState.APPROVED


def test_a_removed_page_and_its_return(world: World) -> None:
    check = world.check()
    world.index.mark_gone("dam")
    [change] = world.look().changes
    assert (change.kind, change.state_before) == ("removed", CheckState.APPROVED)
    assert world.desk.get(check.check_id).state is CheckState.IN_REVIEW
    later = make_article("dam", BODY)
    world.index.put(later.model_copy(update={"first_seen_at": later.first_seen_at.replace(year=2099)}))
    [back] = world.look().changes
    assert (back.kind, back.articles[0].article_id) == ("restored", later.article_id)
    assert world.look().noted == 0


def test_a_page_that_was_gone_before_the_answer_is_no_news(world: World) -> None:
    with world.index.store.writer() as writer:
        dam = make_article("dam", BODY)
        writer.mark_gone(dam.article_id, gone_at=dam.first_seen_at)
    world.check()
    assert world.look().noted == 0


def test_an_article_that_was_corrected_before_the_answer_is_no_news(world: World) -> None:
    world.index.put(make_article("dam", f"{BODY}\n\nCorrection: a name.", correction=True, day=2))
    world.check()
    assert world.look().noted == 0


def test_another_index_is_no_removal(world: World, tmp_path: Path) -> None:
    world.check()
    other = Index(world.settings.model_copy(update={"data_dir": tmp_path / "other"}))
    other.put(make_article("else", "Bread was dearer in spring.", headline="Bread"))
    world.index.store = other.store
    assert world.look().noted == 0


def test_new_evidence_that_turns_the_verdict(world: World) -> None:
    check = world.check()
    world.index.put(make_article("ministry", REFUTE, headline="Ministry on Elm Creek dam"))
    [change] = world.look().changes
    assert (change.kind, change.new_verdict) == ("new_evidence", Verdict.CONFLICTING)
    assert change.articles[0].headline == "Ministry on Elm Creek dam"
    assert world.desk.get(check.check_id).state is CheckState.IN_REVIEW


def test_new_evidence_that_turns_nothing_is_no_news(world: World) -> None:
    check = world.check()
    runs = world.desk.runs(check.check_id)
    world.index.put(make_article("more", f"{SUPPORT}\n\nMore.", headline="Elm Creek dam, again"))
    report = world.look()
    assert (report.by_new_evidence, report.asked, report.noted) == (1, 1, 0)
    assert world.desk.runs(check.check_id) == runs
    world.index.put(make_article("else", "Bread was dearer in spring.", headline="Bread"))
    assert world.look().by_new_evidence == 0, "what was read once is not new"


def test_a_copy_of_the_evidence_is_not_new(world: World) -> None:
    world.check()
    origin = make_article("dam", BODY).article_id
    world.index.put(make_article("copy", BODY, headline="Copy", origin_id=origin))
    assert world.look().by_new_evidence == 0


@pytest.mark.parametrize("known_by", ["address", "name", "comment"])
def test_its_own_report_and_copies_of_it_are_no_evidence(world: World, known_by: str) -> None:
    comment = "We called the ministry, which sent us the plans; the basin was measured twice in May."
    check = world.check(approve=False)
    decision = DecisionPatch(verdict=Verdict.REFUTED, reason_code="other", comment=comment)
    url = "https://news.example/our-report" if known_by == "address" else None
    world.desk.change(check.check_id, CheckPatch(decision=decision, published_url=url), who=ADA)
    text = {"address": "", "name": f" Check {check.check_id}.", "comment": f" {comment}"}[known_by]
    report = make_article("our-report", f"We checked it. {REFUTE}{text}", headline="Fact check: Elm Creek dam")
    copy = make_article("copy", report.body, headline="Copied", origin_id=report.article_id)
    world.index.put(report, copy)
    assert world.look().noted == 0
    assert world.desk.get(check.check_id).state is CheckState.OVERRIDDEN
    world.index.put(make_article("dam", f"{SECOND} Elm Creek dam.", day=2))
    [change] = world.look().changes
    assert change.new_verdict is Verdict.UNVERIFIED, "the report did not speak for itself"
    assert report.article_id in world.asker.asked[-1].filters.excluded_origins


def test_a_comment_copied_from_the_evidence_marks_no_report(world: World) -> None:
    check = world.check(approve=False)
    decision = DecisionPatch(verdict=Verdict.REFUTED, reason_code="other", comment=SUPPORT)
    world.desk.change(check.check_id, CheckPatch(decision=decision), who=ADA)
    world.index.put(make_article("dam", f"{SUPPORT}\n\nCorrection: a name.", correction=True, day=2))
    [change] = world.look().changes
    assert change.new_verdict is Verdict.VERIFIED


def test_a_failure_is_no_finding_and_is_made_up_for(world: World) -> None:
    check = world.check()
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    world.asker.fails = True
    report = world.look()
    assert (report.failed, report.noted) == (1, 1)
    [change] = Changes(world.database).find(limit=5)
    assert (change.new_run_id, change.turned) == (None, False)
    assert world.desk.get(check.check_id).state is CheckState.IN_REVIEW, "the correction is known all the same"
    world.asker.fails = False
    [answered] = world.look().changes
    assert (answered.change_id, answered.new_verdict) == (change.change_id, Verdict.REFUTED)


def test_budgets_bound_a_pass_and_the_next_goes_on(world: World) -> None:
    checks = [world.check(f"{CLAIM} Number {number}.") for number in range(5)]
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    first = world.look(recheck_asks=2)
    assert (first.asked, first.noted, first.waiting) == (2, 5, 3)
    states = {world.desk.get(one.check_id).state for one in checks}
    assert states == {CheckState.IN_REVIEW}, "all are back on the desk at once"
    assert [world.look(recheck_asks=2).asked for _ in range(3)] == [2, 1, 0]


def test_searches_are_bounded_and_take_turns(world: World) -> None:
    for number in range(5):
        world.check(f"{CLAIM} Number {number}.")
    world.index.put(make_article("else", "Bread was dearer in spring.", headline="Bread"))
    found = [world.look(recheck_searches=2) for _ in range(4)]
    assert [(one.searched, one.waiting) for one in found] == [(2, 3), (2, 1), (1, 0), (0, 0)]


def test_a_dry_run_changes_nothing(world: World) -> None:
    check = world.check()
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    report = world.look(dry_run=True)
    assert (report.affected, report.noted, report.asked) == ((check.check_id,), 0, 0)
    assert world.desk.get(check.check_id) == check
    assert world.look().noted == 1


def test_who_decides_while_it_is_asked_again_is_not_overruled_unseen(world: World) -> None:
    check = world.check()
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    run = world.asker.run

    def decide_first(*given: Any, **named: Any) -> Any:
        world.desk.change(check.check_id, CheckPatch(state=CheckState.APPROVED), who=Reviewer("Ben"))
        return run(*given, **named)

    world.asker.run = decide_first  # type: ignore[method-assign]
    world.look()
    now = world.desk.get(check.check_id)
    assert (now.state, now.changed, now.verdict) == (CheckState.IN_REVIEW, True, Verdict.REFUTED)
    assert [step.who for step in world.desk.history(check.check_id) if step.action == "approved"] == ["Ada", "Ben"]


def test_a_proposal_on_old_evidence_falls(world: World) -> None:
    world.desk.reviewers = 2
    check = world.check()
    assert check.proposal is not None
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    world.look()
    assert world.desk.get(check.check_id).proposal is None


def test_a_withdrawn_check_is_left_alone(world: World) -> None:
    check = world.check()
    world.desk.change(check.check_id, CheckPatch(state=CheckState.WITHDRAWN), who=ADA)
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    assert (world.look().noted, world.desk.get(check.check_id).state) == (0, CheckState.WITHDRAWN)


_KILLED = """
import os, signal, sys
from pathlib import Path
from core.settings import load_settings
from indexing.stores.open import open_store
from service.desk.ledger import Ledger
from service.desk.recheck import Recheck
from service.state.database import FILE_NAME, Database
from tests.service.desk.evidence import ReadingAsker

folder, step = Path(sys.argv[1]), sys.argv[2]
settings = load_settings({"data_dir": folder}, environment={})
store = open_store(settings)
asker = ReadingAsker(store)

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

if step == "asking":
    asker.run = die
elif step == "attaching":
    Ledger.attach = die
else:
    import service.desk.ledger as ledger
    ledger.write_evidence = die
Recheck(settings, Database(folder / FILE_NAME), asker=asker, store=store).run()
"""


@pytest.mark.parametrize("step", ["asking", "attaching", "writing"])
def test_a_pass_that_is_killed_loses_nothing(world: World, step: str) -> None:
    check = world.check()
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    command = [sys.executable, "-c", _KILLED, str(world.settings.data_dir), step]
    done = subprocess.run(command, check=False, env=os.environ, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    [change] = Changes(world.database).find(limit=5)
    assert (change.new_run_id, world.desk.get(check.check_id).state) == (None, CheckState.IN_REVIEW)
    report = world.look()
    assert (report.asked, [one.new_verdict for one in report.changes]) == (1, [Verdict.REFUTED])
    assert len(Changes(world.database).find(limit=5)) == 1
    assert len(world.desk.runs(check.check_id)) == 2
