"""Terms-and-connectors search (Boolean and proximity queries) over word positions."""
