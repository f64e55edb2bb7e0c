"""Difficulty of a question, by its governing provisions alone.

RegOps-Bench (001, section 3.2, table 2) reads four levels off the reference set. No model is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from corpus.files.declarations import ONCE_EACH, Declared, Listed, Text, longest, number
from evaluation.figure import Figure, share_figure

LEVELS = ("L1", "L2", "L3", "L4")
TERM_LIMIT = 100

Count = Annotated[int, number("axes_number", 2, 50)]
Terms = Annotated[Listed[Annotated[Text, longest(TERM_LIMIT)]], ONCE_EACH]


@dataclass(frozen=True, slots=True)
class Reference:
    """A provision of a reference set: its semantic id, its statute's, and its tier if known.

    Paragraphs and items count as their provision.
    """

    unit: str
    statute: str
    tier: int | None = None


@dataclass(frozen=True, slots=True)
class ReferenceSet:
    """The provisions that govern a question, with the features that decide its level.

    `institutions` counts the kinds of institution that one parallel group covers among the
    references, 0 where they are in no group. `arity` counts the facets that the question joins: the
    paper speaks of "multi-facet arity" and does not define it; here it is the number of facets that
    the question was to turn on where its type joins facets, else 1.
    """

    references: tuple[Reference, ...]
    conditional: bool = False
    cross_document: bool = False
    external_law: bool = False
    sanction: bool = False
    institutions: int = 0
    arity: int = 1


@dataclass(frozen=True, slots=True)
class Rubric(Declared):
    """The thresholds of the rubric, and the words that set flags.

    `references`, `parallel` and `arity` make a question L3; with a condition, so many
    `institutions` or that `arity` make it L4. The paper gives 4, 4 and 3 and speaks of "several"
    institutions without a number: 2 here. `external_statutes` are ids of statutes from outside the
    field.
    """

    references: Count = 4
    parallel: Count = 4
    institutions: Count = 2
    arity: Count = 3
    conditional_terms: Terms = ()
    sanction_terms: Terms = ()
    external_statutes: Terms = ()


PAPER = Rubric()


def difficulty(reference_set: ReferenceSet, rubric: Rubric = PAPER) -> str:
    """Return the level of a reference set: L1, L2, L3 or L4.

    L4 is tested first, then L3 and L2; the first that fits counts. The paper's table says "top
    down" and lists L1 first, which cannot be meant: whatever is L3 or L4 has two references or a
    condition as well, so L2 would take it. Raises ValueError for a set without references, which
    has no difficulty.
    """
    if not reference_set.references:
        raise ValueError("a reference set without references has no difficulty")
    found, count = reference_set, size(reference_set)
    joins = found.arity >= rubric.arity
    several = found.institutions >= rubric.institutions or joins
    if found.conditional and (found.cross_document or found.sanction or several):
        return "L4"
    many = count >= rubric.references or found.institutions >= rubric.parallel or joins
    if found.cross_document or found.external_law or many:
        return "L3"
    return "L2" if count >= 2 or found.conditional else "L1"


def size(reference_set: ReferenceSet) -> int:
    """Count the distinct provisions."""
    return len({each.unit for each in reference_set.references})


Groups = Mapping[str, Mapping[str, str]]
"""Parallel groups by key: the slot of each of their units, "" for a slot of its own."""


@dataclass(frozen=True, slots=True)
class Governing:
    """A governing provision, with the authority tier of its statute.

    `text` is the wording that governs: all, or the part pinpointed.
    """

    unit_id: str
    statute_id: str
    tier: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A provision with its flags for the rubric: whether it has an exception, and a sanction.

    Computed once, for use in many sets.
    """

    reference: Reference
    conditional: bool
    sanction: bool


def marked(provision: Governing, rubric: Rubric) -> Marked:
    """Flag a provision by terms in its text: of an exception or proviso, and of a sanction."""
    return Marked(
        Reference(provision.unit_id, provision.statute_id, provision.tier),
        conditional=contains_term(provision.text, rubric.conditional_terms),
        sanction=contains_term(provision.text, rubric.sanction_terms),
    )


def reference_set(
    provisions: Iterable[Governing | Marked],
    rubric: Rubric,
    *,
    conditional: bool = False,
    arity: int = 1,
    groups: Groups | None = None,
) -> ReferenceSet:
    """Return a set of provisions with the features by which the rubric tells its level.

    * conditional: the question's type is (`conditional`), or one of the texts has a term of an
      exception or proviso of the rubric.
    * cross_document: the provisions are of more than one statute.
    * external_law: one of them is of a statute that the rubric calls external.
    * sanction: one of the texts has a term of a sanction of the rubric.
    * institutions: the most slots of one parallel group that the provisions fill. `groups` gives
      for each group the slot of each of its units; a unit without a slot stands for itself.
    """
    flagged = (each if isinstance(each, Marked) else marked(each, rubric) for each in provisions)
    found = list({each.reference.unit: each for each in flagged}.values())
    references = tuple(each.reference for each in found)
    statutes = {each.statute for each in references}
    return ReferenceSet(
        references=references,
        conditional=conditional or any(each.conditional for each in found),
        cross_document=len(statutes) > 1,
        external_law=not statutes.isdisjoint(rubric.external_statutes),
        sanction=any(each.sanction for each in found),
        institutions=_institutions([each.unit for each in references], groups or {}),
        arity=arity,
    )


def contains_term(text: str, terms: tuple[str, ...]) -> bool:
    """Return whether a text contains one of the terms; Latin letters as whole words.

    Ignores case and the amount of white space between words.
    """
    words = _plain(text)
    return any(
        term in words and (whole is None or whole.search(words) is not None)
        for term, whole in _compiled_terms(terms)
    )


def level_shares(counts: Mapping[str, int]) -> tuple[Figure, ...]:
    """Return the share of each level among all, with its n and Wilson interval.

    Raises ValueError for an unknown level.
    """
    unknown = sorted(set(counts) - set(LEVELS))
    if unknown:
        raise ValueError(f"no such level: {unknown[0]}")
    total = sum(counts.values())
    return tuple(share_figure(level, counts.get(level, 0), total) for level in LEVELS)


def _institutions(units: list[str], groups: Groups) -> int:
    """Return the largest number of parallel institutions among the units."""
    slots = [
        {members[unit] or unit for unit in units if unit in members} for members in groups.values()
    ]
    return max(map(len, slots), default=0)


def _plain(text: str) -> str:
    """Return a text in one line and one case."""
    return " ".join(text.split()).casefold()


@lru_cache(maxsize=16)
def _compiled_terms(terms: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str] | None], ...]:
    """Compile the terms: each folded, with a whole-word pattern if it needs one."""
    return tuple((term, _whole(term)) for term in map(_plain, terms) if term)


def _whole(term: str) -> re.Pattern[str] | None:
    """Return the pattern of a term as a whole word, None if it needs none."""
    start = r"\b" if re.match(r"[a-z]", term) else ""
    end = r"\b" if re.search(r"[a-z]\Z", term) else ""
    return re.compile(f"{start}{re.escape(term)}{end}") if start or end else None
