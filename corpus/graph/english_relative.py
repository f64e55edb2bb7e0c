"""Parts of English law from where they stand: subsection (b), clause (ii), the preceding paragraph.

A word says how deep it hangs: in sections subsection, paragraph, subparagraph, clause, subclause;
in articles paragraph, subparagraph or point. Federal regulations call every depth a paragraph.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpus.citations.english_law import EnglishReference
from corpus.citations.english_steps import Steps
from corpus.graph.location import UnitLocation
from corpus.graph.relative import joined
from corpus.model import Level

_IN_SECTIONS = ("section", "subsection", "paragraph", "subparagraph", "clause", "subclause", "item")
_IN_ARTICLES = {"article": 0, "section": 0, "paragraph": 1, "subsection": 1}


def own_parts(one: EnglishReference, standing: UnitLocation) -> list[str]:
    """Return the paths that a part without "of …" means from where it stands; none if one lacks."""
    here = standing.part_at(one.start).split("/")
    heads = ["/".join(here[:kept]) for kept in range(len(here), -1, -1)]
    article = standing.unit.level is Level.ARTICLE
    if one.word == "subsection" or (article and one.word == "paragraph"):
        heads = [""]
    return below(one.chains, heads, standing)


def scoped_parts(one: EnglishReference, standing: UnitLocation) -> list[str]:
    """Return the paths of a part "of this section", "of this paragraph"."""
    word = one.scope.rpartition(" ")[2]
    here = standing.part_at(one.start)
    if word in ("section", "article", "regulation", "rule"):
        return below(one.chains, [""], standing)
    if word == "subsection":
        return below(one.chains, [here.split("/")[0]], standing)
    steps = here.split("/")
    heads = ["/".join(steps[:kept]) for kept in range(len(steps), 0, -1)]
    return below(one.chains, heads, standing)


def below(chains: Sequence[Steps], heads: Sequence[str], standing: UnitLocation) -> list[str]:
    """Return each chain under the first head where the unit has it; empty if one has none."""
    found: list[str] = []
    for chain in chains:
        paths = (joined(head, *steps) for steps in _spellings(chain) for head in heads)
        path = next((path for path in paths if standing.has_part(path)), "")
        if not path:
            return []
        found.append(path)
    return found


def near_parts(one: EnglishReference, standing: UnitLocation) -> list[str]:
    """Return the paths of the parts before or after the one it stands in: the next paragraph."""
    here = standing.part_at(one.start).split("/")
    own = "/".join(here[: depth(one.word, standing, len(here))])
    head = own.rpartition("/")[0]
    row = [p.path for p in standing.unit.parts if p.path.rpartition("/")[0] == head]
    if own not in row:
        return []
    at = row.index(own)
    if one.steps == 0:
        return row[:at]
    low, high = (at + one.steps, at) if one.steps < 0 else (at + 1, at + 1 + one.steps)
    return row[low:high] if low >= 0 and high <= len(row) else []


def depth(word: str, standing: UnitLocation, deepest: int) -> int:
    """Return how many steps a path of the kind `word` has, at most `deepest`."""
    unit = standing.unit
    if unit.level is Level.ARTICLE:
        return min(_IN_ARTICLES.get(word, 2), deepest)
    if word == "paragraph" and "." in unit.label:
        return deepest
    found = _IN_SECTIONS.index(word) if word in _IN_SECTIONS else deepest
    return min(found, deepest)


def _spellings(chain: Steps) -> list[Steps]:
    """Return a chain as written, and with its first number in or out of brackets."""
    number = chain[0].strip("()")
    if not number[:1].isdigit():
        return [chain]
    other = number if chain[0].startswith("(") else f"({number})"
    return [chain, (other, *chain[1:])]
