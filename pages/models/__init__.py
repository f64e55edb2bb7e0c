"""Language models: the screens."""
