"""Court cases and their standard groups: shared work."""
