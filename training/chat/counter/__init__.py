"""Teaching a chat model to reply to refuted claims: our prompts and our five scores, for the training in `models`."""
