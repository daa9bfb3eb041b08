"""How far people and machine agree, by verdict and reason; and people's decisions as labelled rows."""

from collections.abc import Iterator

from core.types import Model, Verdict
from service.desk.changes import Changes
from service.desk.types import REASONS
from service.state.database import Database

_DECIDED = "state IN ('approved', 'overridden') AND decided_verdict IS NOT NULL"
LABELS = {
    Verdict.VERIFIED: "supports",
    Verdict.REFUTED: "refutes",
    Verdict.CONFLICTING: "conflicting",
    Verdict.UNVERIFIED: "neither",
}
"""Verdict to the label of `looksy evaluate verdict`."""


class Agreement(Model):
    """Decided checks, counted."""

    decided: int
    agreed: int
    by_verdict: dict[str, dict[str, int]]
    """The machine's verdict (none: it gave none) to what people decided, to checks."""
    by_reason: dict[str, int]
    """Reason of an override to checks."""

    @property
    def share(self) -> float | None:
        """The share of decided checks in which people say what the machine says; None if nothing is decided."""
        return self.agreed / self.decided if self.decided else None


class LabelledRow(Model):
    """One decided check as a row for `looksy evaluate verdict`."""

    id: str
    claim: str
    label: str
    machine: str | None
    """Label that the machine gave."""
    reason: str | None


def measure_agreement(database: Database) -> Agreement:
    """Count decided checks by the machine's verdict, by people's, and by reason."""
    with database.open() as connection:
        pairs = connection.execute(
            f"SELECT coalesce(verdict, 'none'), decided_verdict, count(*) FROM checks WHERE {_DECIDED} GROUP BY 1, 2"
        ).fetchall()
        reasons = connection.execute(
            f"SELECT reason_code, count(*) FROM checks WHERE {_DECIDED} AND state = 'overridden' GROUP BY 1 ORDER BY 1"
        ).fetchall()
    by_verdict: dict[str, dict[str, int]] = {}
    for machine, people, count in pairs:
        by_verdict.setdefault(machine, {})[people] = count
    return Agreement(
        decided=sum(count for _, _, count in pairs),
        agreed=sum(count for machine, people, count in pairs if machine == people),
        by_verdict=by_verdict,
        by_reason={str(reason): count for reason, count in reasons},
    )


def labelled_rows(database: Database, *, overrides_only: bool = True) -> Iterator[LabelledRow]:
    """
    Yield decided checks as labelled rows, oldest decision first.

    :param overrides_only: Leave out those in which people agree with the machine.
    """
    states = "('overridden')" if overrides_only else "('approved', 'overridden')"
    with database.open() as connection:
        rows = connection.execute(
            "SELECT check_id, text, verdict, decided_verdict, reason_code FROM checks"
            f" WHERE state IN {states} AND decided_verdict IS NOT NULL ORDER BY decided_at, number"
        ).fetchall()
    for row in rows:
        yield LabelledRow(
            id=row["check_id"],
            claim=row["text"],
            label=LABELS[Verdict(row["decided_verdict"])],
            machine=LABELS[Verdict(row["verdict"])] if row["verdict"] else None,
            reason=row["reason_code"],
        )


def gauges(database: Database) -> dict[str, float]:
    """Return the desk's figures for `/metrics`; labels come from fixed sets."""
    with database.open() as connection:
        states = connection.execute("SELECT state, count(*) FROM checks GROUP BY state").fetchall()
        kinds = connection.execute("SELECT kind, count(*) FROM changes GROUP BY kind").fetchall()
    found = measure_agreement(database)
    values = {f'looksy_checks{{state="{state}"}}': float(count) for state, count in states}
    values |= {f'looksy_evidence_changes{{kind="{kind}"}}': float(count) for kind, count in kinds}
    values["looksy_checks_changed"] = float(Changes(database).count_open())
    for machine, row in found.by_verdict.items():
        for people, count in row.items():
            values[f'looksy_check_decisions{{machine="{machine}",people="{people}"}}'] = float(count)
    reasons: dict[str, int] = {}
    for reason, count in found.by_reason.items():
        known = reason if reason in REASONS else "other"
        reasons[known] = reasons.get(known, 0) + count
    values |= {f'looksy_check_overrides{{reason="{reason}"}}': float(count) for reason, count in reasons.items()}
    if found.share is not None:
        values["looksy_check_agreement"] = found.share
    return values
