"""What a person may say of a unit in citation mapping; what it means, the codebook says."""

from __future__ import annotations

from enum import StrEnum


class Decision(StrEnum):
    """What a person says of one unit. Only `ACCEPT` puts a unit into an answer."""

    ACCEPT = "accept"  # the question is answered by this provision
    REJECT = "reject"  # it is not
    UNSURE = "unsure"  # cannot tell: sends the item to adjudication, never counts as accepting
