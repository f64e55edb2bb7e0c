"""Language models: what the database keeps."""
