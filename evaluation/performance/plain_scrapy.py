"""
Plain Scrapy, the yardstick of the crawl benchmark: downloads the addresses on standard input and keeps nothing.

Run as `python -m evaluation.performance.plain_scrapy CONCURRENCY`; prints seconds, CPU seconds and pages as JSON.
"""

import json
import sys
import time
from collections.abc import AsyncIterator

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response


class PlainSpider(Spider):
    """Downloads; does nothing else."""

    name = "plain"
    urls: list[str]
    pages = 0

    async def start(self) -> AsyncIterator[Request]:
        """Ask for every address."""
        for url in self.urls:
            yield Request(url, callback=self.count)

    def count(self, response: Response) -> None:
        """Count a page."""
        self.pages += len(response.body) > 0


def main() -> None:
    """Download what standard input lists."""
    urls = sys.stdin.read().split()
    concurrency = int(sys.argv[1])
    settings = {
        "LOG_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
    }
    process = AsyncCrawlerProcess(settings, install_root_handler=False)
    crawler = process.create_crawler(PlainSpider)
    process.crawl(crawler, urls=urls)
    started, cpu = time.monotonic(), time.process_time()
    process.start()
    pages = crawler.spider.pages if isinstance(crawler.spider, PlainSpider) else 0
    spent = {"seconds": time.monotonic() - started, "cpu_s": time.process_time() - cpu, "pages": pages}
    print(json.dumps(spent))


if __name__ == "__main__":
    main()
