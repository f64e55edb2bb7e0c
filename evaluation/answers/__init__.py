"""How good written answers are, and which of the scores deserves trust. Pure."""
