"""Checks of whole texts: kept, resumed, read from documents, written as reports."""
