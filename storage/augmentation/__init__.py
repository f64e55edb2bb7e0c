"""Questions written by axes: kept with every attempt, read back, and what became of them."""
