"""Retrieval over the citation graph: link methods, noise and structure-aware reranking."""
