"""Tables written out for other programs: one module per format."""
