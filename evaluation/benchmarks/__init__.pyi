from . import near_copies as near_copies
from .floors import check_floors as check_floors
from .floors import update_floors as update_floors
from .load import list_suites as list_suites
from .load import load_suite as load_suite
from .run import run_suite as run_suite
from .table import to_markdown as to_markdown
