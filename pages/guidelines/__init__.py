"""Screens of guidelines and codebooks."""
