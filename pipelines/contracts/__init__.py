"""What every room may import: evidence and drafts, and the protocols of verifiers, generators and systems."""
