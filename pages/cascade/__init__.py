"""The screen Cascade: what each layer took out, each question with what was said of it."""
