"""Annotations as a file: written without loss, and read back into an empty project."""
