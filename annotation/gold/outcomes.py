"""What can become of a question's gold, and why it is pending, in one word each."""

from __future__ import annotations

from typing import Literal

Outcome = Literal["agreed", "single", "consensus", "adjudicated", "pending", "source"]
"""``source`` is nobody's decision: what the file of a question says, in gold sets that have it."""
WhyCurated = Literal[
    "differ", "flagged", "recalled", "waiting", "sent_back", "given_back", "recurated"
]
