"""Services for the cascade of filter layers over augmented questions."""
