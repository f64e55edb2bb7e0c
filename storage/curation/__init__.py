"""Questions that a model wrote, curated by people: what the database keeps."""
