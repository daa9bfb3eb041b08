"""Answers: extractive, or from a chat model behind one contract; prompts, evidence prompts and replies."""
