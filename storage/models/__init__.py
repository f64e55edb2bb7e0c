"""Language models: storage of calls."""
