"""Questions that a model wrote, curated by people: the rules of the work."""
