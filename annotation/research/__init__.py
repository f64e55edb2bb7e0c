"""Research of gold passages: what may be said, and what counts."""
