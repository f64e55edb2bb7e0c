"""What a person may say of a unit in citation mapping, and the version of that list."""

from __future__ import annotations

from enum import StrEnum


class Decision(StrEnum):
    """What a person says of one unit. Only `ACCEPT` puts a unit into an answer."""

    ACCEPT = "accept"  # the question is answered by this provision
    REJECT = "reject"  # it is not
    UNSURE = "unsure"  # cannot tell: sends the item to adjudication, never counts as accepting


VERSION = "citation_mapping-1"  # raise the number when a decision is added or changes its meaning
