"""Reranking with models that score pairs of question and unit."""
