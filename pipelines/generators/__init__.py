"""Chat models behind one contract: any OpenAI-compatible server, or a local transformers model."""
