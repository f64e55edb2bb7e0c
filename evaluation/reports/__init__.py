"""Reports as values: sections of typed tables with charts, written to every medium."""
