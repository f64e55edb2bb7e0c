"""Screen of gold closure: provisions probably missing from gold."""
