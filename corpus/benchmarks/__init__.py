"""Benchmarks of retrieval as others publish them: documents, queries and judgments of a folder."""
