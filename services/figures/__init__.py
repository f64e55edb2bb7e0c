"""Services for figures about a project and its runs."""
