"""What a model's answer says, read strictly: what is not said plainly is missing, never guessed."""
