"""Commands about factor tagging of court cases."""
