"""Gold data: derivation, lineage, negatives, and validity under amended law."""
