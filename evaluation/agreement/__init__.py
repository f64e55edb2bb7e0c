"""How far people agree beyond chance: statistics with their n, interval and plain reading. Pure."""
