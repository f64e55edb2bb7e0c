"""Services for batches of work and their assignment."""
