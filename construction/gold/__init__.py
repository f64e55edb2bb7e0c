"""Gold data: splits and the datasheet form."""
