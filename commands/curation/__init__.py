"""Commands about curation, and how its cases are told."""
