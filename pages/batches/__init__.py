"""Screens of work batches and their assignment."""
