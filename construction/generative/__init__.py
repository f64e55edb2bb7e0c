"""Training data of generative retrieval: facts, identifiers with key tokens first, pairs."""
