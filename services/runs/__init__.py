"""Retrieval methods, runs, leaderboard and experiments: shared work."""
