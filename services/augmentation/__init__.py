"""Services for augmented questions, written along axes."""
