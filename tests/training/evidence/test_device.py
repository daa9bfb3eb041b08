# ruff: noqa: E402 - the skip comes first
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


def test_a_product_takes_time_in_both():
    assert device._seconds(torch.bfloat16) > 0
    assert device._seconds(torch.float32) > 0
