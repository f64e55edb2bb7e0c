"""Sandboxed child processes for untrusted files."""
