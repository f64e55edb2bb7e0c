"""Parsing of models' answers, strictly: ambiguous answers are missing, never guessed."""
