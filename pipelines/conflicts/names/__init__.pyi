from . import names as names
from . import places as places
from .anaphora import opens_unnamed as opens_unnamed
from .anaphora import unnamed as unnamed
from .names import Name as Name
from .names import mentions as mentions
from .places import is_place as is_place
