"""Cascade runs, the results of their layers, and restorations: storage."""
