"""Factor tagging of court cases: factors, sub-factors and options."""
