"""Court cases and their standard groups: the screens."""
