"""Parallel groups of provisions: the rules of declaring them and of deciding on proposed ones."""
