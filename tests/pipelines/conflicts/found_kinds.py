"""Which conflicts two sentences have, for tables of tests."""

from datetime import date

from pipelines.conflicts.comparison import Surroundings, wording_conflicts

WEDNESDAY = date(2021, 3, 10)


def kinds(statement, sentence, published=WEDNESDAY):
    return {
        conflict.kind for conflict in wording_conflicts(statement, sentence, near=Surroundings(published=published))
    }
