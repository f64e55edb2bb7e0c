"""What finds the nearest vectors: exactly and in this process, or in a Milvus server."""
