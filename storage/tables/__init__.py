"""Tables: what the database keeps."""
