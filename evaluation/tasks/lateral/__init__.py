"""Questions asked of a text by the system `lateral`."""
