"""Sections of docs/performance.md that no GPU was needed for: lines of Markdown, the last of them empty."""
