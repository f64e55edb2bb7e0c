"""Services for retrieval methods, runs, the leaderboard and experiments."""
