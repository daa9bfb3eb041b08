from .guard import InstructionGuard as InstructionGuard
from .sanitise import as_data as as_data
from .sanitise import is_tainted as is_tainted
from .sanitise import looks_like_instruction as looks_like_instruction
from .sanitise import shown_headline as shown_headline
