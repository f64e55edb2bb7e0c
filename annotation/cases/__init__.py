"""Court cases: their standard groups by typology, and query cases."""
