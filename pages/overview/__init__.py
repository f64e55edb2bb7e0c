"""The overview of a project, which leads and researchers land on."""
