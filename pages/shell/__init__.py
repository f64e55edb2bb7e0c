"""What every screen stands in: address, sidebar, sign-in, notices, shared widgets."""
