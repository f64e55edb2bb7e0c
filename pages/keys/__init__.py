"""Screen of keyboard shortcuts and personal keys."""
