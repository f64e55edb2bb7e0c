"""Tasks whose answers are fields of a form: what may be said, saying it, submitting, settling."""
