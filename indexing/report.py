"""What an index job did."""

from pydantic import Field

from core.types import Model


class IndexReport(Model):
    """Counts of one `looksy index`."""

    new: int = 0
    changed: int = 0
    corrected: int = 0
    """Same text, other metadata."""
    unchanged: int = 0
    gone: int = 0
    passages: int = 0
    """Of new and changed articles."""
    files: int = 0
    """With anything new in them."""
    ignored_fields: dict[str, int] = Field(default_factory=dict)
    """Names that were not understood, and in how many lines they were."""
    notice: str | None = None
    """What a user should know: that vectors were left out."""
    seconds: float = 0.0
    snapshot_id: str | None = None
    """After the job; None: there is no index, because there was no article."""
