"""Start page of a person."""
