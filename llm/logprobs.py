"""How probable a model found each option, where its server tells."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping

from llm.reply import Alternatives

_BEFORE = re.compile(r"^[\s\"'`(\[*]++")
_AFTER = re.compile(r"(?<![\s\"'`)\].:*])[\s\"'`)\].:*]++$")


def option_logprobs(
    logprobs: tuple[Alternatives, ...] | None, options: Collection[str]
) -> Mapping[str, float] | None:
    """Return the log-probability of each option at the place where the answer names one.

    That is the first token that is an option, white space and brackets aside. Tokens that say the
    same option add up. An option that is not among the alternatives told is left out: its
    probability is not known. None where there is nothing to read.
    """
    for place in logprobs or ():
        if place and _bare(place[0][0]) in options:
            return _at(place, options)
    return None


def _at(place: Alternatives, options: Collection[str]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for token, value in place:
        option = _bare(token)
        if option in options and not math.isnan(value):
            sums[option] = sums.get(option, 0.0) + math.exp(min(0.0, value))
    logs = {o: math.log(total) if total else -math.inf for o, total in sums.items()}
    return {option: logs[option] for option in sorted(logs)}


def _bare(token: str) -> str:
    return _AFTER.sub("", _BEFORE.sub("", token))
