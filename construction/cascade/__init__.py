"""The layers that questions written by a model go through: which, how strict, and what each says."""
