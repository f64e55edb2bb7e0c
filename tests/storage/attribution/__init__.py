"""Claims and labels as they are kept."""
