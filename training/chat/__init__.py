"""Chat models taught by examples and by preferences: LoRA adapters, with TRL and PEFT (extra `[tune]`)."""
