"""Commands about court cases and their standard groups."""
