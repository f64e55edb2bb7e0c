"""The tables of published papers, made again from a project's own data."""
