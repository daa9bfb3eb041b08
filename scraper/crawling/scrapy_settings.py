"""How Scrapy is set up for a crawl."""

from typing import Any

from scraper.crawling.jobs import CrawlJob
from scraper.crawling.politeness import LEAST_DELAY_S, STEADY
from scraper.crawling.resolver import PRIVATE_HOSTS
from scraper.crawling.user_agent import user_agent
from scraper.publishers.site import Site

MAX_PAGE_BYTES = 10 * 1024 * 1024
DEFAULT_DELAY_S = 1.0
LONGEST_DELAY_S = 60.0
TIMEOUT_S = 30
RETRIES = 2
MAX_REDIRECTS = 5
_MIDDLEWARES = "scrapy.downloadermiddlewares."


_FIXED: dict[str, Any] = {  # the same for every crawl
    "SCHEDULER": "scraper.crawling.scheduler.StateScheduler",
    "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
    "CONCURRENT_ITEMS": 1,  # Scrapy starts so many tasks for every answer; a page has no items
    "DOWNLOAD_DELAY_JITTER": 0,
    "AUTOTHROTTLE_ENABLED": True,
    "DOWNLOAD_TIMEOUT": TIMEOUT_S,
    "DOWNLOAD_MAXSIZE": MAX_PAGE_BYTES,
    "DOWNLOAD_WARNSIZE": 0,
    "DOWNLOAD_VERIFY_CERTIFICATES": True,
    "DOWNLOAD_FAIL_ON_DATALOSS": True,
    "TWISTED_DNS_RESOLVER": "scraper.crawling.resolver.PublicOnlyResolver",
    "RETRY_TIMES": RETRIES,
    "RETRY_GIVE_UP_LOG_LEVEL": "INFO",
    "REDIRECT_MAX_TIMES": MAX_REDIRECTS,
    "REDIRECT_PRIORITY_ADJUST": 0,
    "HTTPERROR_ALLOW_ALL": True,
    "COOKIES_ENABLED": False,
    "REFERER_ENABLED": False,
    "METAREFRESH_ENABLED": False,
    "HTTPPROXY_ENABLED": False,
    "ROBOTSTXT_OBEY": False,  # Looksy's own middleware does, also for 5xx
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "MEMUSAGE_ENABLED": False,
    "LOG_ENABLED": False,
    "LOG_INSTALL_ROOT_HANDLER": False,
    "STATS_DUMP": False,
    "LOGSTATS_INTERVAL": 0,
    "SPIDER_MIDDLEWARES_BASE": {
        "scrapy.spidermiddlewares.start.StartSpiderMiddleware": 25,
        "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": 50,
    },
    "DOWNLOADER_MIDDLEWARES_BASE": {
        "scraper.crawling.safety.SafetyMiddleware": 50,
        "scraper.crawling.robots.RobotsMiddleware": 100,
        f"{_MIDDLEWARES}downloadtimeout.DownloadTimeoutMiddleware": 350,
        f"{_MIDDLEWARES}defaultheaders.DefaultHeadersMiddleware": 400,
        f"{_MIDDLEWARES}useragent.UserAgentMiddleware": 500,
        "scraper.crawling.politeness.PatienceMiddleware": 550,
        f"{_MIDDLEWARES}httpcompression.HttpCompressionMiddleware": 590,
        f"{_MIDDLEWARES}redirect.RedirectMiddleware": 600,
        "scraper.crawling.traffic.TrafficMeter": 850,
    },
    "EXTENSIONS_BASE": {"scraper.crawling.politeness.PoliteThrottle": 0},
    "DOWNLOAD_HANDLERS_BASE": {
        "http": "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler",
        "https": "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler",
    },
}


def make_settings(job: CrawlJob, site: Site) -> dict[str, Any]:
    """Return Scrapy's settings for a job."""
    delay = job.publisher.delay
    if delay is None:
        delay = 0.0 if site.is_local else DEFAULT_DELAY_S
    delay = max(delay, LEAST_DELAY_S)
    concurrency = job.publisher.concurrency
    return _FIXED | {
        "USER_AGENT": user_agent(job.contact),
        "LOOKSY_SITE": site,
        "CONCURRENT_REQUESTS": 2 + 2 * concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "DOWNLOAD_DELAY": delay,
        STEADY: site.is_local,
        "AUTOTHROTTLE_START_DELAY": delay,
        "AUTOTHROTTLE_MAX_DELAY": max(LONGEST_DELAY_S, delay),
        "AUTOTHROTTLE_TARGET_CONCURRENCY": concurrency,
        PRIVATE_HOSTS: sorted(site.private_hosts),
    }
