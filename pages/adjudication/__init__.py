"""Adjudication screen: disputes and their decisions."""
