"""The closure screen."""
