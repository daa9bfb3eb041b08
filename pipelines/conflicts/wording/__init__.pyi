from .attributed_falsehood import disputed_answer as disputed_answer
from .attributed_falsehood import left_open as left_open
from .quotation_match import QUOTED as QUOTED
