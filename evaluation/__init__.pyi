from .optional_import import require as require
