"""Entering: signing in, the choice of project and person, and which screen is where."""
