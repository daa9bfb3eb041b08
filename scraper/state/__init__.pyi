from .archive import ArchivedPage as ArchivedPage
from .archive import read_page as read_page
from .lock import CrawlLock as CrawlLock
from .report import CrawlReport as CrawlReport
