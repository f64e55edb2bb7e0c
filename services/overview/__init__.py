"""Services for the project overview: progress, obstacles, and the next step."""
