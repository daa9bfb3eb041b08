"""Names for what the libraries give, none of which has types."""

from typing import Any

ChatModel = Any
"""A causal language model of transformers, bare or with an adapter of PEFT."""
Tokenizer = Any
"""A tokenizer of transformers."""
Event = Any
"""What a trainer tells a callback."""
