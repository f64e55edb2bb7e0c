"""The commands of research: searching authorities, and what was found in them."""
