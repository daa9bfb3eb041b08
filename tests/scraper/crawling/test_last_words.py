"""What a process says on standard error is read while it runs."""

import subprocess
import sys

from scraper.crawling.crawl import LastWords

TALKATIVE = (
    "import sys; sys.stderr.write('word ' * 100_000 + chr(10) + 'the last\\n' + chr(10)); sys.stderr.flush(); print(1)"
)


def test_process_that_says_much_does_not_wait_for_a_reader() -> None:
    command = [sys.executable, "-c", TALKATIVE]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stdout is not None
    last_words = LastWords(process.stderr)
    assert process.wait(30) == 0
    assert last_words.hear() == "the last"
    assert process.stderr.closed
    process.stdout.close()
