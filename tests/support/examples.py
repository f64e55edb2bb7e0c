"""How many examples a property that is slow to try takes, and how many turns a form."""

from __future__ import annotations

import os

from hypothesis import settings

SHORT, LONG = 10, 100
"""Examples of a property in `make test` and in `make test-long`; $TOUCHSTONE_EXAMPLES overrides."""
USUAL = 25  # of a property to which nothing else applies: what `scaled` is given is relative to it


def register_profiles() -> None:
    """Register the profiles `short`, which is loaded, and `long` (`--hypothesis-profile=long`)."""
    for name, usual in (("short", SHORT), ("long", LONG)):
        examples = int(os.environ.get("TOUCHSTONE_EXAMPLES", usual))
        settings.register_profile(name, max_examples=examples, deadline=None)
    settings.load_profile("short")


def scaled(examples: int) -> int:
    """Scale a property's own number of examples to the profile."""
    assert settings.default is not None
    return max(1, examples * settings.default.max_examples // USUAL)


def repeats(turns: int) -> int:
    """Return how often to enter into a form: so often in the suite, or as often as is asked for."""
    return int(os.environ.get("TOUCHSTONE_FORM_REPEATS", turns))
