"""What of the found may be read, and in which order: block list, allow list, grades of sources."""

from core.types import Model, Probability
from pipelines.systems.agent.backends.contract import Found
from pipelines.systems.agent.backends.domains import sifted
from pipelines.systems.agent.credibility import Order, SourceGrades, sift_by_grade


class SourceFilter(Model):
    """As the user asked for it; the grades are the newsroom's."""

    block: tuple[str, ...] = ()
    """Domains that may not be evidence."""
    allow: tuple[str, ...] = ()
    """Domains that alone may; empty: all."""
    order: Order = Order.RELEVANCE
    least_grade: Probability = 0.0
    """Sources graded lower are left out."""
    grades: SourceGrades | None = None
    """None: no list is configured."""

    @property
    def needs_grades(self) -> bool:
        """Say whether there is something to do that takes grades."""
        return self.order is Order.CREDIBILITY or self.least_grade > 0

    def sift(self, found: Found) -> Found:
        """Drop what may not be read, and order the rest."""
        kept = sifted(found, block=self.block, allow=self.allow)
        if self.grades is None or not self.needs_grades:
            return kept
        return sift_by_grade(kept, self.grades, order=self.order, least=self.least_grade)
