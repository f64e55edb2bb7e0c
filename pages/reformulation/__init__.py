"""Screen of reformulation."""
