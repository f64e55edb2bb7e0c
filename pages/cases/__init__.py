"""Screens of court cases and their standard groups."""
