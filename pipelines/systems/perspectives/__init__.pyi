from .side_judge import SideJudge as SideJudge
from .system import SYSTEM as SYSTEM
from .types import Grouping as Grouping
from .types import Stance as Stance
