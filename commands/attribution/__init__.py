"""Commands about attribution of answers."""
