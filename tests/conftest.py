"""Tests reach no network beyond loopback, and no settings of the person who runs them."""

import ipaddress
import os
import socket
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from core.settings import ENV_PREFIX

settings.register_profile("no-clock", deadline=None)  # a busy machine is no bug
settings.load_profile("no-clock")


class NetworkRefusedError(RuntimeError):
    """A test tried to leave the machine."""


def _is_local(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a Unix socket path
    host = str(address[0])
    if host in {"localhost", ""}:
        return True
    try:
        return ipaddress.ip_address(host.split("%", maxsplit=1)[0]).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections of this process to anything but this machine."""

    def guard(name: str) -> None:
        real = getattr(socket.socket, name)

        def guarded(self: socket.socket, address: Any) -> Any:
            if not _is_local(address):
                raise NetworkRefusedError(f"a test tried to reach {address}")
            return real(self, address)

        monkeypatch.setattr(socket.socket, name, guarded)

    guard("connect")
    guard("connect_ex")


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drop LOOKSY_* variables, so that a test sees only the settings it makes."""
    for name in [name for name in os.environ if name.startswith(ENV_PREFIX)]:
        monkeypatch.delenv(name)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files that hold slow tests first, then those of many: of two processes, none is left with a long file."""
    count = Counter(item.path for item in items)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (item.path not in slow, -count[item.path], str(item.path)))


_SKIPPED: list[tuple[str, str]] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember why tests were skipped."""
    if report.skipped and isinstance(report.longrepr, tuple):
        _SKIPPED.append((report.nodeid, str(report.longrepr[2])))


@pytest.hookimpl(hookwrapper=True)
def pytest_terminal_summary(terminalreporter: Any) -> Iterator[None]:
    """Say loudly which tests did not run, and why."""
    yield
    if not _SKIPPED:
        return
    reasons: dict[str, int] = {}
    for _, reason in _SKIPPED:
        reasons[reason.removeprefix("Skipped: ")] = reasons.get(reason.removeprefix("Skipped: "), 0) + 1
    terminalreporter.section("NOT RUN", yellow=True)
    for reason, count in sorted(reasons.items()):
        terminalreporter.line(f"{count:4d}  {reason}")
