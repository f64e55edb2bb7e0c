"""Screens of people, roles and invitations."""
