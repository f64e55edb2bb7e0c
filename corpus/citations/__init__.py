"""Citations in three stages: find strings, resolve them to units, annotate text."""
