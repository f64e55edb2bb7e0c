"""The overview of a project: how far it is, what keeps it back, and what to do next."""
