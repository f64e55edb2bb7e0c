"""How far a model that judges answers can be trusted, and what its verdicts are worth. Pure.

``Judged`` is an answer with the judge's verdict and what people found of it. Everything here is
derived from a list of those; what is missing on either side is left out, never counted as wrong.
"""
