"""How far an answer's claims are those of the gold answer, and its citations those of gold."""
