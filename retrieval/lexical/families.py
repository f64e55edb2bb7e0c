"""Families of instruments: an act with its decree and its rules, told by their titles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpus.citations.names import family
from retrieval.core.model import Document


def families_of(documents: Sequence[Document]) -> NDArray[np.int64]:
    """Return the number of each document's family; families are numbered in order of their name."""
    titles = {document.statute_title for document in documents}
    base = {title: family(title).base for title in titles}
    number = {name: at for at, name in enumerate(sorted(set(base.values())))}
    found = [number[base[document.statute_title]] for document in documents]
    return np.array(found, dtype=np.int64)
