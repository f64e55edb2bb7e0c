"""What was read out of units, beside the law."""
