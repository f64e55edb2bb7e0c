"""Screens of gold data."""
