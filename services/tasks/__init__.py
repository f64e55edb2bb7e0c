"""Tasks that projects bring: adding, listing, and their labels as files."""
