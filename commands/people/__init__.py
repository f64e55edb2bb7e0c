"""People, accounts and sign-in: the command line."""
