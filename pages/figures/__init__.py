"""Screen of figures for papers."""
