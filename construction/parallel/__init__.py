"""Parallel groups: provisions that lay one duty down for several kinds of institution."""
