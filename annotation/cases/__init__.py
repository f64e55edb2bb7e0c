"""Court cases and their standard groups: the rules of the work."""
