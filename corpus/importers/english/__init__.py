"""Importer of English law."""
