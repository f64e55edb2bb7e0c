"""Screens of the tasks that a project brings."""
