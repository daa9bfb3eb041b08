from . import crawl as crawl
from . import reextract as reextract
