"""Court cases and their standard groups: what the database keeps."""
