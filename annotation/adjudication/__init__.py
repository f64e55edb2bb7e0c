"""Adjudication: disputes, decisions, discussions and withdrawal requests."""
