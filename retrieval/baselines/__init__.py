"""Published graph baselines: NativeRAG, LightRAG, HippoRAG-2, PIKE-RAG."""
