"""The bounded queue: what cannot be ready in time is refused, and never makes anything collapse."""

import asyncio
import gc
import threading
from collections.abc import Iterator

import pytest

from core.errors import BusyError, TimeLimitError
from core.progress import Progress, ProgressEvent
from service.api.worker_pool import WorkerPool


@pytest.fixture
def hold() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def workshop(*, workers: int = 1, queue_size: int = 9, time_limit_s: float = 30) -> WorkerPool:
    return WorkerPool(workers=workers, queue_size=queue_size, time_limit_s=time_limit_s)


def test_what_would_wait_too_long_is_refused_at_once(hold: threading.Event) -> None:
    shop = workshop(workers=1, time_limit_s=30)
    shop.usual_s = 11.0

    async def crowd() -> list[object]:
        pieces = [asyncio.ensure_future(shop.do(lambda _: hold.wait(60))) for _ in range(4)]
        await asyncio.sleep(0.1)
        refused = [isinstance(piece.exception(), BusyError) for piece in pieces if piece.done()]
        hold.set()
        await asyncio.gather(*pieces, return_exceptions=True)
        return refused

    assert asyncio.run(crowd()) == [True, True]  # 11 s and 22 s are in time, 33 s is not
    shop.close()


def test_what_never_began_is_busy_and_what_began_is_too_slow(hold: threading.Event) -> None:
    shop = workshop(workers=1, time_limit_s=1)

    async def two() -> list[object]:
        pieces = [asyncio.ensure_future(shop.do(lambda _: hold.wait(60))) for _ in range(2)]
        return await asyncio.gather(*pieces, return_exceptions=True)

    slow, waiting = asyncio.run(two())
    assert isinstance(slow, TimeLimitError)
    assert isinstance(waiting, BusyError)
    hold.set()
    shop.close()


def test_a_free_worker_takes_work_however_slow_the_last_was() -> None:
    now = 0.0
    shop = WorkerPool(workers=1, queue_size=9, time_limit_s=30, clock=lambda: now)

    def slow(_: Progress) -> None:
        nonlocal now
        now += 300

    asyncio.run(shop.do(slow))
    assert asyncio.run(shop.do(lambda _: "done")) == "done"
    shop.close()


def test_work_that_ends_because_its_client_went_is_no_fault_in_the_log(hold: threading.Event) -> None:
    shop = workshop()
    faults: list[dict[str, object]] = []

    def work(progress: Progress) -> None:
        hold.wait(10)
        progress(ProgressEvent(stage="answer"))

    async def leave() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
        asking = asyncio.ensure_future(shop.do(work))
        await asyncio.sleep(0.05)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        del asking
        hold.set()
        while shop.pending:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        gc.collect()

    asyncio.run(leave())
    assert faults == []
    shop.close()
