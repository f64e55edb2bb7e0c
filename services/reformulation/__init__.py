"""Services for reformulating options as yes/no questions."""
