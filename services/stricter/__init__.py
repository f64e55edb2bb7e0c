"""Services for stricter relevance groups of court cases."""
