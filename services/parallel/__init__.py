"""Services for parallel groups of provisions."""
