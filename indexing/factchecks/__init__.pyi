from .matcher import EMBED_PIECE as EMBED_PIECE
from .matcher import MAX_CHARS as MAX_CHARS
from .matcher import SURE_FROM as SURE_FROM
from .matcher import FactCheckMatcher as FactCheckMatcher
from .reading import MAX_BYTES as MAX_BYTES
from .reading import read_fact_checks as read_fact_checks
from .store import FactCheckStore as FactCheckStore
from .types import ImportReport as ImportReport
