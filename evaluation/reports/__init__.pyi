from .models import Report as Report
from .text import interval as interval
from .text import number as number
from .text import timing_line as timing_line
