"""Commands about retrieval methods, runs, leaderboard and experiments."""
