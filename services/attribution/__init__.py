"""Services for attribution: claims and citations of answers."""
