"""Db: what the database keeps."""
