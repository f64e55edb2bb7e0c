"""Data types of the citation graph: edges, references as written, and the graph in arrays.

A node is a unit, a statute as a whole, or a paragraph of a unit, whose id is the unit's followed by
the part path (건축법_64조/1항). Only PART_OF leads to statutes and from paragraphs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from corpus.citations.model import Reason, Status, Target
from corpus.model import Tier, Unit

Direction = Literal["both", "out", "in"]
_Indices = NDArray[np.int64]

READING = "2"
"""The version of the citation reader: it changes when the same law would be read differently."""


class EdgeType(StrEnum):
    """The relation of one unit to another."""

    PART_OF = "part_of"  # paragraph → its unit → its statute
    REFERENCES = "references"  # the source cites the target
    DELEGATES_TO = "delegates_to"  # an act's article → the article of the decree or rule
    SPECIFIES = "specifies"  # the other half of that pair: decree or rule → act
    DEFINES = "defines"  # the provision that defines `term` → one that uses it
    REQUIRES_FORM = "requires_form"  # article → 별지 서식
    APPLIES = "applies"  # 준용, 적용, "…로 본다": the target applies to the source's matter
    CO_SPECIFIES = "co_specifies"  # decree → rule that take up one paragraph of an act
    PARALLEL = "parallel"  # between units of one parallel group that a project declares


WALKED = tuple(kind for kind in EdgeType if kind not in (EdgeType.PART_OF, EdgeType.DEFINES))
"""The edges that lead from one provision to another: without structure and terms."""


class Origin(StrEnum):
    """The origin of an edge."""

    HYPERLINK = "hyperlink"  # a link of the source file
    TEXT = "text"  # parsed from the wording
    STRUCTURE = "structure"  # from the position of units
    DECLARED = "declared"  # a person declared it


class Form(StrEnum):
    """The form of a reference, for counts."""

    TITLE = "title"  # 「소방기본법」 제2조; a bare title; a code
    SAME = "same"  # 같은 법 제3조, 동법 시행령
    LEVEL = "level"  # 법 제5조 in a decree, 영 제3조 in a rule
    SHORT = "short"  # a short name that the statute defined: (이하 "소방법"이라 한다)
    CONTINUED = "continued"  # 및 제7조: a further place in a list
    OWN = "own"  # 제5조, 이 법 제5조
    SAME_PLACE = "same_place"  # 같은 조 제3항, 같은 항 제2호
    RELATIVE = "relative"  # 전조, 전항, 다음 각 호; the preceding section
    PART = "part"  # 제2항, 제1호: within the own article
    ANNEX = "annex"  # 별표 1
    FORM = "form"  # 별지 제1호서식
    ADDENDUM = "addendum"  # 부칙 제2조
    SECTION = "section"  # 2.1.1 of a technical standard; section 5(a)
    CASE = "case"  # 410 U.S. 113: a court's decision, beyond the corpus


@dataclass(frozen=True, slots=True)
class Edge:
    """One typed edge, with the span of the source's text that it was read from.

    `start` and `end` are 0 if nothing was read (PART_OF). `pinpoint` is the part path in the
    target, `part` the part path in the source that contains the span; both may be empty. `term` is
    the defined term of a DEFINES edge, whose `pinpoint` is its first use in the target, and the key
    of the group of a PARALLEL edge. The pair DELEGATES_TO / SPECIFIES rests on the words in the
    lower instrument (법 제5조제2항에 따라) and on those in the higher (대통령령으로 정하는): each
    edge keeps the span in its own source.
    """

    source: str
    target: str
    type: EdgeType
    origin: Origin
    start: int = 0
    end: int = 0
    pinpoint: str = ""
    part: str = ""
    term: str = ""


Found = tuple[Sequence[Target], Reason | None]
"""The targets of a reference, or the reason why there are none."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One citation in a statute's text: ``text`` is exactly ``unit.text[start:end]``.

    `targets` is filled exactly if `status` is resolved, `reason` exactly if it is not.
    """

    unit_id: str
    start: int
    end: int
    text: str
    status: Status
    reason: Reason | None
    targets: tuple[Target, ...]
    form: Form

    @classmethod
    def of(cls, unit: Unit, span: tuple[int, int], form: Form, found: Found) -> Reference:
        """Return the reference in a stretch of a unit's text, given what it means."""
        targets, reason = found
        failed = Status.AMBIGUOUS if reason is Reason.SEVERAL_MATCH else Status.UNRESOLVED
        status = Status.RESOLVED if targets else failed
        text = unit.text[slice(*span)]
        return cls(unit.semantic_id, *span, text, status, reason, tuple(targets), form)


class Graph:
    """Edges among nodes, indexed both ways so that a node's edges are found at once."""

    def __init__(self, nodes: Mapping[str, Tier], edges: Iterable[Edge]) -> None:
        """Index `edges` among `nodes` (id → authority tier).

        Raises KeyError for an edge whose end is no node.
        """
        self.ids: tuple[str, ...] = tuple(nodes)
        self.tiers: tuple[Tier, ...] = tuple(nodes.values())
        self.edges: tuple[Edge, ...] = tuple(edges)
        self._at = {unit: index for index, unit in enumerate(self.ids)}
        sources = [self._at[e.source] for e in self.edges]
        targets = [self._at[e.target] for e in self.edges]
        self.sources: _Indices = np.array(sources, dtype=np.int64)
        self.targets: _Indices = np.array(targets, dtype=np.int64)
        self._out = _rows(self.sources, len(self.ids))
        self._in = _rows(self.targets, len(self.ids))

    def __repr__(self) -> str:
        return f"<Graph: {len(self.ids)} nodes, {len(self.edges)} edges>"

    def __contains__(self, unit_id: str) -> bool:
        return unit_id in self._at

    def tier(self, unit_id: str) -> Tier:
        """Return a node's authority tier. Raises KeyError for an id that is no node."""
        return self.tiers[self._at[unit_id]]

    def edges_of(
        self, unit_id: str, types: Collection[EdgeType] | None = None, direction: Direction = "both"
    ) -> list[Edge]:
        """Return the edges at a node, outgoing ones first; an edge to itself comes once.

        Raises KeyError for an id that is no node.
        """
        at = self._at[unit_id]
        out = self._touching(self._out, at) if direction != "in" else []
        into = self._touching(self._in, at) if direction != "out" else []
        if direction == "both":
            into = [e for e in into if e.source != unit_id]
        return [e for e in (*out, *into) if types is None or e.type in types]

    def neighbours(
        self,
        unit_id: str,
        types: Collection[EdgeType] | None = None,
        direction: Direction = "both",
        hops: int = 1,
        limit: int | None = None,
    ) -> list[str]:
        """Return the nodes within `hops` steps of a node, without it, nearest first.

        Nodes of one distance come by id. At most `limit` are returned. Raises KeyError for an id
        that is no node.
        """
        seen, ring, found = {unit_id}, [unit_id], list[str]()
        for _ in range(hops):
            ends = {end for one in ring for end in self._ends(one, types, direction)}
            ring = sorted(ends - seen)
            seen.update(ring)
            found += ring
            if limit is not None and len(found) >= limit:
                return found[:limit]
        return found

    def _ends(
        self, unit_id: str, types: Collection[EdgeType] | None, direction: Direction
    ) -> list[str]:
        """Return the other ends of the edges at a node."""
        edges = self.edges_of(unit_id, types, direction)
        return [e.target if e.source == unit_id else e.source for e in edges]

    def _touching(self, rows: tuple[_Indices, _Indices], at: int) -> Sequence[Edge]:
        """Return the edges of a node in one direction."""
        starts, order = rows
        return [self.edges[i] for i in order[starts[at] : starts[at + 1]].tolist()]


def _rows(ends: _Indices, nodes: int) -> tuple[_Indices, _Indices]:
    """Return the start of each node's edges in the order of edges by node, and that order."""
    counts = np.bincount(ends, minlength=nodes)
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return starts, np.argsort(ends, kind="stable").astype(np.int64)
