"""Audit of a benchmark: what is wrong with its texts, ids and judgments, as a report."""
