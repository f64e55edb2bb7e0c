"""Retrieval methods, runs, leaderboard and experiments: the command line."""
