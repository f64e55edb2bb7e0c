"""Reliability of a model that judges answers, and accuracy estimates from its verdicts.

``Judged`` is an answer with the verdicts of the judge and of people. All figures are
derived from a list of those; a missing verdict is left out, never counted as wrong.
"""
