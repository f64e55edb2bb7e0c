"""Dense retrieval: ranking by the inner product of vectors."""
