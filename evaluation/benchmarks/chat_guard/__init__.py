"""Replies of real chat models, labelled, and what the guard does with them."""
