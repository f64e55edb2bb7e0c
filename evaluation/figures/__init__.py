"""What figures show, before anything is drawn: points, edges, buckets, and tests as plain data."""
