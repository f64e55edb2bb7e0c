"""Articles and paragraphs of the research-and-development statutes, beside a paper's counts.

The paper is RegOps-Bench and RefWalk ("Citation-Closure Retrieval and Per-Rule Attribution"),
Table 1: "#Art. counts articles; #Prov. counts paragraphs". The rule of counting here, which comes
nearest to all eight of its documents that are at hand:

articles     every 조 with its branches (제21조의2); a deleted one too, its row still stands
paragraphs   every numbered 항, a deleted one too, and one for an article without any

docs/article-counts.md says what each difference comes from, so far as the data shows it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program

PARSER = program(
    __doc__,
    "statute promulgated articles deleted annexes numbered bare paper_articles "
    "paper_paragraphs paragraphs",
)
PARSER.add_argument(
    "--statutes", type=Path, default=SHARED / "korean-law/research-and-development/kr"
)
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Statute, Unit

PAPER = {
    "국가연구개발혁신법": (42, 161),
    "국가연구개발혁신법-시행령": (75, 225),
    "국가연구개발혁신법-시행규칙": (4, 7),
    "과학기술기본법": (71, 208),
    "과학기술기본법-시행령": (72, 209),
    "과학기술기본법-시행규칙": (9, 16),
    "부가가치세법": (85, 294),
    "부가가치세법-시행규칙": (85, 153),
}


@dataclass(frozen=True, slots=True)
class Counts:
    """What one statute holds. `bare` are articles without a numbered paragraph."""

    statute: str
    promulgated: str
    articles: int
    deleted: int
    annexes: int
    numbered: int
    bare: int
    paper_articles: int
    paper_paragraphs: int

    @property
    def paragraphs(self) -> int:
        """Numbered paragraphs, and one for each article without any."""
        return self.numbered + self.bare


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    options = PARSER.parse_args(arguments)
    found = {statute.semantic_id: statute for statute in read_tree(options.statutes)}
    rows = [counts(found[name]) for name in PAPER if name in found]
    if options.json:
        told = [asdict(row) | {"paragraphs": row.paragraphs} for row in rows]
        print(json.dumps(told, ensure_ascii=False))
        return 0
    print(f"{'articles':>8} {'paper':>6} {'paragraphs':>11} {'paper':>6}  statute (promulgated)")
    for row in rows:
        print(
            f"{row.articles:>8} {row.paper_articles:>6} {row.paragraphs:>11} "
            f"{row.paper_paragraphs:>6}  {row.statute} ({row.promulgated}; "
            f"{row.deleted} deleted, {row.annexes} annexes)"
        )
    return 0


def counts(statute: Statute) -> Counts:
    """Return the counts of a statute that is in the paper's table."""
    articles = [unit for unit in statute.units if unit.level is Level.ARTICLE]
    numbered = [paragraphs(unit) for unit in articles]
    return Counts(
        statute.semantic_id,
        str(statute.promulgated or ""),
        len(articles),
        sum(unit.deleted for unit in articles),
        sum(unit.level is Level.ANNEX for unit in statute.units),
        sum(numbered),
        numbered.count(0),
        *PAPER[statute.semantic_id],
    )


def paragraphs(unit: Unit) -> int:
    """Return how many numbered paragraphs an article has."""
    return sum(part.path.endswith("항") for part in unit.parts)


if __name__ == "__main__":
    sys.exit(main())
