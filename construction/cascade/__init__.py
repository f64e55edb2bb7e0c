"""The layers that generated questions go through: which, how strict, and what each says."""
