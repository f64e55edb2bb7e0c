"""Readers of source formats. Each returns whole dataclasses or raises UserError."""
