"""Statutes from source records: segmentation, units, tiers and merging."""
