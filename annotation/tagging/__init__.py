"""Factor tagging of court cases: codebook, form, derived tags, disputes, suggestions."""
