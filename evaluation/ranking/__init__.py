"""Ranking: how it is measured."""
