"""Ranking by the inner product of vectors of length one."""
