"""The desk: checks that people review, what they decided, and what has changed since."""

from service.desk.checks import Desk
from service.desk.types import Check, CheckPatch, CheckQuery, CheckState, Decision, DecisionPatch, Reviewer

__all__ = ["Check", "CheckPatch", "CheckQuery", "CheckState", "Decision", "DecisionPatch", "Desk", "Reviewer"]
