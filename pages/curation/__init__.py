"""Screens of curation: people review LLM-written questions."""
