"""Proof: a run or check as one file that can be sent, printed, filed or replayed."""

from service.reports.formats import ReportFile, ReportFormat, write_report
from service.reports.source import ReportSource, quoted_articles

__all__ = ["ReportFile", "ReportFormat", "ReportSource", "quoted_articles", "write_report"]
