"""Downstream: how much what stands before a model helps it to answer."""
