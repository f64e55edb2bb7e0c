"""Cutting and labelling claims, and the report on them."""
