"""Measures of a ranking, as values: a measure's repr is its key, and parsing the key gives it back.

The arithmetic is trec_eval's (through pytrec-eval-terrier). Its tie rule is not: it is given
scores derived from the ranks, all distinct, so the ranking that was made is the one measured.
nDCG has linear gains and the discount ``log2(rank + 1)``.

Of a query with several gold units, Recall is the share found; AnyGold and FullCov ask whether one
is found and whether all are: the upper and the lower bound of the two ways to count a query once.
RR is the reciprocal rank of the first; its mean over queries is known as MRR, so both names are
read, and MRR is the one that is offered.
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
    "RR": _Kind("recip_rank", "recip_rank"),
    "MRR": _Kind("recip_rank", "recip_rank"),
    "AnyGold": _Kind(None, "success"),
    "FullCov": _Kind(None, "recall"),
}
_RECIPROCAL = ("RR", "MRR")
_OTHER_NAMES = {"r": "Recall", "map": "AP", "success": "AnyGold", "allgold": "FullCov"}
_SPELLINGS = {name.lower(): name for name in _KINDS} | _OTHER_NAMES


@dataclass(frozen=True, slots=True, repr=False, order=True)
class Measure:
    """One measure: `name` is a key of _KINDS; `cutoff` the last rank that it looks at."""

    name: str
    cutoff: int | None = None

    def __repr__(self) -> str:
        return self.name if self.cutoff is None else f"{self.name}@{self.cutoff}"

    @property
    def trec_request(self) -> str:
        """What to ask pytrec-eval for."""
        if self.cutoff is None or self.name in _RECIPROCAL:
            return _KINDS[self.name].plain or ""
        return f"{_KINDS[self.name].cut}.{self.cutoff}"

    def read(self, values: dict[str, float]) -> float:
        """Return this measure's value from what pytrec-eval computed for one query."""
        value = values[self.trec_request.replace(".", "_")]
        # trec_eval has no cut-off for the reciprocal rank: beyond it nothing was found.
        if self.name in _RECIPROCAL and self.cutoff is not None and value < 1 / self.cutoff:
            return 0.0
        if self.name == "FullCov":
            return 1.0 if value == 1 else 0.0
        return value


def parse_measure(key: str) -> Measure:
    """Return the measure that `key` names, e.g. ``Recall@10``, ``nDCG@10``, ``AP``; any case.

    ``R@10``, ``MAP``, ``Success@10`` and ``AllGold@10`` are read as Recall@10, AP, AnyGold@10 and
    FullCov@10. Raises UserError for anything else.
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

SHOWN = (*(Measure("Recall", k) for k in (1, 10, 100)), Measure("nDCG", 10), Measure("MRR", 10))
"""What the leaderboard shows until its reader chooses."""

ORDERING = Measure("Recall", 10)
"""By what the leaderboard is ordered until its reader chooses."""

OFFERED = (
    *LEADERBOARD,
    Measure("P", 5),
    Measure("AP"),
    Measure("FullCov", 10),
    Measure("AnyGold", 10),
)
"""What a reader of the leaderboard chooses from."""
