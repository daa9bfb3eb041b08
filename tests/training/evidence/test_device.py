import itertools

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra [train])")

from training.evidence import device

pytestmark = pytest.mark.torch


@pytest.mark.parametrize(
    ("amx", "instructions", "share", "uses"),
    [
        (True, True, 9.0, True),  # not timed
        (False, False, 0.1, False),  # computed by way of 32 bits
        (False, True, 0.3, True),
        (False, True, 0.9, False),  # conversions would cost more than that
    ],
)
def test_processors_without_amx_are_timed(monkeypatch, amx, instructions, share, uses):
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: amx)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: instructions)
    monkeypatch.setattr(device, "_seconds", {torch.bfloat16: share, torch.float32: 1.0}.__getitem__)
    assert device.uses_bfloat16.__wrapped__("cpu") is uses


def test_a_busy_machine_does_not_choose_the_numbers(monkeypatch):
    """Bfloat16 is three times as fast; other programs make most tries of it slower than those in 32 bits."""
    busy = itertools.cycle([9.0, 7.0, 0.3, 8.0, 9.5])
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: False)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: True)
    monkeypatch.setattr(device, "_seconds", lambda kind: next(busy) if kind == torch.bfloat16 else 1.0)
    assert device.uses_bfloat16.__wrapped__("cpu")
    monkeypatch.setattr(device, "_seconds", lambda kind: next(busy) if kind == torch.float32 else 1.0)
    assert not device.uses_bfloat16.__wrapped__("cpu")


def test_timing_ends_however_unsteady_the_machine_is(monkeypatch):
    times = itertools.count(1)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: False)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: True)
    monkeypatch.setattr(device, "_seconds", lambda kind: 0.9 ** next(times))  # ever faster
    assert not device.uses_bfloat16.__wrapped__("cpu")
    assert next(times) < 1000


def test_a_product_takes_time_in_both():
    assert device._seconds(torch.bfloat16) > 0
    assert device._seconds(torch.float32) > 0
