from . import antonyms as antonyms
from . import counting as counting
from . import csv_cells as csv_cells
from . import editions as editions
from . import errors as errors
from . import files as files
from . import keys as keys
from . import languages as languages
from . import locks as locks
from . import metadata_merge as metadata_merge
from . import paths as paths
from . import progress as progress
from . import publisher_types as publisher_types
from . import requests as requests
from . import sentences as sentences
from . import settings as settings
from . import shingles as shingles
from . import text as text
from . import types as types
from . import urls as urls
from . import words as words

__version__: str
