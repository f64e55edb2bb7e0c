"""Suites of other folders, run again with the database on a PostgreSQL server."""
