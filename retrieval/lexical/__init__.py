"""Lexical retrieval methods: BM25 variants and TF-IDF."""
