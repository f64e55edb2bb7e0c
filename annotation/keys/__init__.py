"""Keys of the screens that a person changed for themselves."""
