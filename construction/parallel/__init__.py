"""Parallel groups: provisions that impose one duty on several kinds of institution."""
