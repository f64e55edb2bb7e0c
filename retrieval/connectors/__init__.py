"""Terms and connectors: exact queries as lawyers write them, over positions of words."""
