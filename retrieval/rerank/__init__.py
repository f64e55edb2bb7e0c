"""Reading question and unit together: models that score pairs."""
