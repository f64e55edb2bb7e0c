"""Questions written by axes: shared work."""
