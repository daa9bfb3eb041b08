"""A desk over an index whose articles change."""

from dataclasses import dataclass
from typing import Any

import pytest

from core.settings import Settings
from core.types import Request
from service.answers.caller import Caller
from service.answers.runs import Runs
from service.desk import Check, CheckPatch, CheckState, Desk, Reviewer
from service.desk.recheck import Recheck, RecheckReport
from service.state.database import FILE_NAME, Database
from tests.service.desk.evidence import BODY, CLAIM, Index, ReadingAsker, make_article

ADA = Reviewer("Ada")


@dataclass
class World:
    settings: Settings
    database: Database
    index: Index
    asker: ReadingAsker
    desk: Desk

    def look(self, *, dry_run: bool = False, **settings: Any) -> RecheckReport:
        chosen = self.settings.model_copy(update=settings)
        recheck = Recheck(chosen, self.database, asker=self.asker, store=self.index.store)
        return recheck.run(dry_run=dry_run)

    def check(self, text: str = CLAIM, *, approve: bool = True) -> Check:
        result = self.asker.run("verify", Request(text=text))
        Runs(self.database, keep=100).save(result, caller=Caller())
        check, _ = self.desk.add(result.run_id, who=ADA)
        if approve:
            check = self.desk.change(check.check_id, CheckPatch(state=CheckState.APPROVED), who=ADA)
        return check


@pytest.fixture
def world(settings: Settings) -> World:
    database, index = Database(settings.data_dir / FILE_NAME), Index(settings)
    index.put(make_article("dam", BODY))
    return World(settings, database, index, ReadingAsker(index.store), Desk(database))
