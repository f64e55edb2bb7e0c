"""Questions that a model wrote, curated by people: shared work."""
