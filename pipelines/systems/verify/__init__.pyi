from .system import SYSTEM as SYSTEM
from .system import refusal as refusal
from .system import within_bounds as within_bounds
