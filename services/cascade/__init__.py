"""Running the cascade over augmented questions, and reporting what its layers took out."""
