"""Measures of a ranking, as values: a measure's repr is its key, and parsing the key gives it back.

The arithmetic is trec_eval's (through pytrec-eval-terrier). Its tie rule is not: it is given
scores derived from the ranks, all distinct, so the ranking that was made is the one measured.
nDCG has linear gains and the discount ``log2(rank + 1)``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from errors import UserError

_KEY = re.compile(r"([A-Za-z]+)(?:@([1-9]\d{0,5}))?")


@dataclass(frozen=True, slots=True)
class _Kind:
    """How trec_eval calls a measure without and with a cut-off; None where it has no such form."""

    plain: str | None
    cut: str


_KINDS = {
    "Recall": _Kind(None, "recall"),
    "P": _Kind(None, "P"),
    "nDCG": _Kind("ndcg", "ndcg_cut"),
    "AP": _Kind("map", "map_cut"),
    "MRR": _Kind("recip_rank", "recip_rank"),
}
_SPELLINGS = {name.lower(): name for name in _KINDS} | {"rr": "MRR", "r": "Recall", "map": "AP"}


@dataclass(frozen=True, slots=True, repr=False, order=True)
class Measure:
    """One measure: `name` is Recall, P, nDCG, AP or MRR; `cutoff` the last rank it looks at."""

    name: str
    cutoff: int | None = None

    def __repr__(self) -> str:
        return self.name if self.cutoff is None else f"{self.name}@{self.cutoff}"

    @property
    def trec_request(self) -> str:
        """What to ask pytrec-eval for."""
        if self.cutoff is None or self.name == "MRR":
            return _KINDS[self.name].plain or ""
        return f"{_KINDS[self.name].cut}.{self.cutoff}"

    def read(self, values: dict[str, float]) -> float:
        """Return this measure's value from what pytrec-eval computed for one query."""
        value = values[self.trec_request.replace(".", "_")]
        # trec_eval has no cut-off for the reciprocal rank: beyond it nothing was found.
        if self.name == "MRR" and self.cutoff is not None and value < 1 / self.cutoff:
            return 0.0
        return value


def parse_measure(key: str) -> Measure:
    """Return the measure that `key` names, e.g. ``Recall@10``, ``nDCG@10``, ``AP``; any case.

    ``RR@10``, ``R@10`` and ``MAP`` are read as MRR@10, Recall@10 and AP. Raises UserError for
    anything else.
    """
    found = _KEY.fullmatch(key.strip())
    name = _SPELLINGS.get(found[1].lower()) if found else None
    if found is None or name is None or (found[2] is None and _KINDS[name].plain is None):
        raise UserError("unknown_measure", name=key)
    return Measure(name, int(found[2]) if found[2] else None)


LEADERBOARD = (
    *(Measure("Recall", k) for k in (1, 5, 10, 20, 50, 100)),
    Measure("nDCG", 10),
    Measure("MRR", 10),
)
