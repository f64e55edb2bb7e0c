"""Commands about LLM-written answers."""
