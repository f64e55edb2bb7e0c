"""Answers of models: the contexts and the forms of answers."""
