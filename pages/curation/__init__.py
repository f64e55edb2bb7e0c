"""Questions that a model wrote, curated by people: the screens."""
