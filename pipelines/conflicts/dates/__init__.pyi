from .relative_dates import WEEK as WEEK
