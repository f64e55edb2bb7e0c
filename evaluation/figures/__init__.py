"""Data of figures before drawing: points, edges, buckets, and tests as plain data."""
