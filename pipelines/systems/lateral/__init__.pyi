from .asker import make_questions as make_questions
from .question_selection import form_fault as form_fault
from .question_selection import likeness as likeness
from .system import SYSTEM as SYSTEM
from .types import SourceText as SourceText
