"""The one door to language models: client, cache, budget, prompts as files.

A leaf: it knows neither the database nor the screen, and nothing of law. Who calls it passes in
the settings (`llm.settings`), the keys (`llm.roles`), where replies are kept (`llm.client`) and
whose prompts count (`llm.prompts.prompt_files`).
"""
