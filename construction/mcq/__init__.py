"""Multiple-choice questions that need two linked provisions: pairs, items, filters.

Nothing here calls a model: drafts are the input, items for people to check the output.
"""
