"""Services for the curation of model-written questions."""
