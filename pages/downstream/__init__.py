"""Screen of downstream QA: how much the context helps a model to answer."""
