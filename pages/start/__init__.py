"""The start page of a person."""
