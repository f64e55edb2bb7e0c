"""Screens of annotation tasks: viewer frame, acts, adjudication, feedback."""
