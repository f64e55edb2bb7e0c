"""How well answers state what the official answer states, and cite what is gold."""
