"""Services for generative retrieval: training pairs, training, evaluation."""
