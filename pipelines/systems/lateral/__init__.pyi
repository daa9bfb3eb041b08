from .question_selection import form_fault as form_fault
from .question_selection import likeness as likeness
from .system import SYSTEM as SYSTEM
