"""Curation of questions written by a model: form, states and disputes."""
