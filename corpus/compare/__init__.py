"""Comparison of two versions of the law: units added, removed, moved or reworded."""
