"""Claim and citation scores of answers against the official answer and gold provisions."""
