"""What an answer cites, read from its form or its words."""
