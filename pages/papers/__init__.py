"""Screen of the tables of published papers."""
