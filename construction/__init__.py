"""Makes things for people to check. Pure."""
