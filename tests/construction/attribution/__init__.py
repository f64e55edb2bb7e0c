"""What answers cite."""
