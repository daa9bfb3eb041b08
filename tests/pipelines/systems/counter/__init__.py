"""Tests of what a reply is made of."""
