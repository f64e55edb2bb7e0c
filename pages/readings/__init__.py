"""Machine readings of units, shown beside the law."""
