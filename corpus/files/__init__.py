"""Reading of users' files: text, rows, YAML and archives."""
