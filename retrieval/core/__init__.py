"""The interface of retrieval methods, their registry, presets and specs."""
