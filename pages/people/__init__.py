"""People, accounts and sign-in: the screens."""
