"""The items behind a figure: how far the raters of each agree."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from evaluation.agreement.likeness import Likeness, Same
from evaluation.agreement.ratings import Kinds, Ratings, Scale
from evaluation.agreement.raw import pair_share
from evaluation.agreement.set_likeness import OfSets


@dataclass(frozen=True, slots=True)
class ItemAgreement:
    """One item: how many rated it, and the mean likeness of their ratings, 0 to 1."""

    item: Hashable
    ratings: int
    agreement: float


def per_item(ratings: Ratings) -> list[ItemAgreement]:
    """Return the items with at least two ratings, least agreed upon first, then in their order.

    Ratings are alike when they are the same; sets by MASI.
    """
    paired = np.flatnonzero(ratings.per_item >= 2)
    if not len(paired):
        return []
    most = int(ratings.per_item.max())
    codes = np.sort(ratings.codes[paired], axis=1)[:, len(ratings.raters) - most :]
    likeness: Likeness = Same(len(ratings.categories))
    if ratings.scale is Scale.SETS:
        likeness = OfSets(ratings.categories, masi=True)
    shares = pair_share(Kinds(codes, np.ones(len(codes), dtype=np.int64)), likeness)
    return [
        ItemAgreement(
            ratings.items[paired[at]], int(ratings.per_item[paired[at]]), float(shares[at])
        )
        for at in np.argsort(shares, kind="stable")
    ]
