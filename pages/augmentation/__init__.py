"""The screen of questions written by axes."""
