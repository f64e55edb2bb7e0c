"""How many examples a property takes that is slow to try, and how many turns a form."""

from __future__ import annotations

import os

from hypothesis import settings

SUITE = 25  # examples of a property where $TOUCHSTONE_EXAMPLES says nothing


def slow(examples: int) -> int:
    """Return how many to try: so many in the suite, and more where more of each are asked for."""
    asked = settings.default.max_examples if settings.default else SUITE
    return max(1, examples * asked // SUITE)


def repeats(turns: int) -> int:
    """Return how often to enter into a form: so often in the suite, or as often as is asked for."""
    return int(os.environ.get("TOUCHSTONE_FORM_REPEATS", turns))
