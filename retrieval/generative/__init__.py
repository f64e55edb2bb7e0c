"""Generative retrieval: constrained decoding of identifiers from the corpus (LegalSearchLM)."""
