"""What must hold when many act at once, and when a machine stops in the middle."""
