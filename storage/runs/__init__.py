"""Retrieval runs, leaderboard views and experiments: storage."""
