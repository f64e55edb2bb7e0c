"""Shared parts of all commands: registry, state, options, progress, tables."""
