"""What every command rests on: the registry, the state, options that several take."""
