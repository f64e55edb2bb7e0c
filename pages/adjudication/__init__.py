"""Adjudication: disputes and how they are settled."""
