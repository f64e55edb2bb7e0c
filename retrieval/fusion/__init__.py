"""Rankings of several methods made into one: one way of fusing per module."""
