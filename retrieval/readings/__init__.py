"""Information extraction from units: entities, relations, triples and the questions answered."""
