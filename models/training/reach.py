"""How far the channels of a network's parts reach."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn


def reach(
    parts: Sequence[nn.Module], widths: Sequence[int], show: Callable[[], object], *, of_inputs: bool
) -> list[Tensor]:
    """
    Find the largest absolute value that each channel reaches.

    :param widths: Channels of each part.
    :param show: Shows the parts' model some texts.
    :param of_inputs: Look at what goes in instead of what comes out.
    :returns: For each part (channels,); 0 where nothing was shown.
    """
    farthest = [torch.zeros(width) for width in widths]

    def watching(number: int) -> Callable[[nn.Module, tuple[Tensor, ...], Tensor], None]:
        def watch(module: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
            values = inputs[0] if of_inputs else output
            reached = values.detach().float().abs().flatten(0, -2).amax(0).cpu()  # (channels,)
            farthest[number] = torch.maximum(farthest[number], reached)

        return watch

    watched = [part.register_forward_hook(watching(number)) for number, part in enumerate(parts)]
    try:
        with torch.inference_mode():
            show()
    finally:
        for one in watched:
            one.remove()
    return farthest
