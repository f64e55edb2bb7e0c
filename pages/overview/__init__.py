"""Overview screen of a project, start screen of leads and researchers."""
