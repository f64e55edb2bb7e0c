"""What is read out of each unit: entities, relations, triples and the questions it answers."""
