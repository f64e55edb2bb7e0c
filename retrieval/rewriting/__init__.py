"""Query rewriting by a language model: expansion, decomposition and facts."""
