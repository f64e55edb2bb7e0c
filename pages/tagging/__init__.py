"""Screens of factor tagging of court cases."""
