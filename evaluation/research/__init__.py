"""Agreement on gold passages marked by two people."""
