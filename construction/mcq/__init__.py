"""Multiple-choice questions that need two linked provisions: pairs, items, filters.

Nothing here calls a model: drafts come in, items for people to check go out.
"""
