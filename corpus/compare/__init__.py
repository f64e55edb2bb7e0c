"""Two versions of the law side by side: which units came, went, moved or say something else."""
