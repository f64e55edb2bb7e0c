"""Guidelines and codebooks: versions, editing, and migration of answers."""
