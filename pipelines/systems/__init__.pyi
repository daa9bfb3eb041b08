from .registry import check_length as check_length
from .registry import get_system as get_system
from .registry import list_systems as list_systems
from .registry import request_for as request_for
