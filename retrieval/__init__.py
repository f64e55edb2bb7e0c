"""A question in, ranked units out: one method per module. Pure."""
