"""Services for language models: clients, prompts, cached calls."""
