"""Structured answers: JSON shapes, strict parsing and repair."""
