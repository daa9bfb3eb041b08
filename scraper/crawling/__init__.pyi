from . import archive_crawl as archive_crawl
from . import crawl as crawl
from . import reextract as reextract
