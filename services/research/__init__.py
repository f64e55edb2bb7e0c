"""Research: searching statutes and court cases by terms and connectors."""
