"""Screen of parallel groups of provisions."""
