"""Screens of annotation files."""
