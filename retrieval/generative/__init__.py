"""Generative retrieval: identifiers decoded from the corpus, LegalSearchLM."""
