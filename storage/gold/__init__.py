"""Divisions of the gold into parts."""
