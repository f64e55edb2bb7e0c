"""Retrieval methods, runs, leaderboard and experiments: the screens."""
