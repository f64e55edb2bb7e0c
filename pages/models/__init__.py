"""Screen of language models."""
