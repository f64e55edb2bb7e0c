"""Importer of the National Law Information Center's documents."""
