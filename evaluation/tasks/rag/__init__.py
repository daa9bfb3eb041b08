"""Answers to questions, with and without evidence."""
