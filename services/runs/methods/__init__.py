"""Services for retrieval methods: fitting, index cache, run keys."""
