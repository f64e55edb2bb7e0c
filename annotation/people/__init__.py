"""People, accounts and sign-in: the rules of the work."""
