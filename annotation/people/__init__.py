"""People: accounts, sign-in, invitations, project members, roles and permissions."""
