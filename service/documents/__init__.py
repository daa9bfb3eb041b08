"""Documents as text: what people hand in to be checked."""

from service.documents.reader import Document, read_document

__all__ = ["Document", "read_document"]
