"""Screens of retrieval methods, runs, leaderboard and experiments."""
