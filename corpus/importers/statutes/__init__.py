"""Statutes: how it is read."""
