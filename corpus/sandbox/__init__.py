"""Sandbox: how it is read."""
