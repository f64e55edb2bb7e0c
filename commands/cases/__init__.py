"""Court cases and their standard groups: the command line."""
