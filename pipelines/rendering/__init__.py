"""Results as people read them: Markdown, sections, explanations, and the escaping of all text."""
