"""Access to language models: client, cache, budget, prompts as files.

A leaf: it knows neither the database nor the screen, and nothing of law. Callers pass in
the settings (`llm.settings`), the keys (`llm.roles`), the store of replies (`llm.client`) and
the source of prompts (`llm.prompts.prompt_files`).
"""
