"""Downstream evaluation: how much the retrieved context helps a model to answer."""
