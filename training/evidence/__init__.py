"""The evidence model: network, losses, trainer, export, card."""
