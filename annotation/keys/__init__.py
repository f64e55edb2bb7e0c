"""Personal keyboard shortcuts."""
