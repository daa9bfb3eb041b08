from . import ask_system as ask_system
from .ask_system import open_engine as open_engine
from .compare import compare_runs as compare_runs
from .folder import RunFolder as RunFolder
from .folder import find_run as find_run
from .folder import list_runs as list_runs
from .session import score_run as score_run
