"""The screen on which a person sees all keys and gives themselves others."""
