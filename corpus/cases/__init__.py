"""Court judgments as data: parsing of files, and their division into sections."""
