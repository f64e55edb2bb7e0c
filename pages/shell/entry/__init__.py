"""Entry to the app: sign-in, choice of project and person, screen registry."""
