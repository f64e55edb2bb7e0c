"""Retrieval methods, runs, leaderboard and experiments: what the database keeps."""
