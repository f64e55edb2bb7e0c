"""Outcomes of a question's gold, and reasons why it is pending."""

from __future__ import annotations

from typing import Literal

Outcome = Literal["agreed", "single", "consensus", "adjudicated", "pending", "source"]
"""``source``: taken from the question's file, without a decision, in gold sets that have it."""
WhyCurated = Literal[
    "differ", "flagged", "recalled", "waiting", "sent_back", "given_back", "recurated"
]
