"""Services for research: terms-and-connectors search of statutes and court cases."""
