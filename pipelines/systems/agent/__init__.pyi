from .sources import KIND as KIND
from .system import SHARE_BLOCKED as SHARE_BLOCKED
from .system import SYSTEM as SYSTEM
