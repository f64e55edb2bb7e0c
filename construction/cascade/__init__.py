"""The quality cascade for generated questions: layers, thresholds and checks."""
