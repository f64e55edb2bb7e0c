"""Services for the citation graph."""
