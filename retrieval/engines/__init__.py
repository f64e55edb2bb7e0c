"""Nearest-neighbour search: exact in this process, or in a Milvus server."""
