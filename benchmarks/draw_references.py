"""Drawing the articles in which references are marked by reading, and the sample from the marks.

Nothing here asks what the resolver finds: articles are drawn first, by a fixed seed, and every
reference in a drawn article is marked by a reader. `READ_AT_RANDOM` articles come from all articles
with text alike; for each form in `RARE` that they would show too seldom, further ones come from
the articles whose text holds its words. The sample is then drawn from the marks, form by form.

``articles``  prints the drawn articles, with brackets around whatever might be a reference
``held-out``  prints the articles of the second draw, which were read when errors that the first
              had shown were mended; articles with many places are likelier to be drawn
``sample``    draws the sample from the marked references and prints it as JSONL

What was read is kept in tests/fixtures/references_read.jsonl (and references_held_out.jsonl), one
article a line, and what was drawn from it in references.jsonl; docs/references-sample.md tells how.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import ROOT, SHARED, program

PARSER = program(__doc__, "")
PARSER.add_argument("what", choices=("articles", "held-out", "sample"))
PARSER.add_argument("--statutes", type=Path, default=SHARED / "korean-law/fire-safety/kr")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Statute, Unit

READ = ROOT / "tests" / "fixtures" / "references_read.jsonl"
HELD_OUT = ROOT / "tests" / "fixtures" / "references_held_out.jsonl"
SEED, SEED_HELD_OUT = 3, 4
READ_HELD_OUT = 30
READ_AT_RANDOM = 60
SAMPLED = 300
LEAST = 15  # references of a form in the sample, where so many were marked
UNDRAWN = "self"  # 이 조, 이 항 with nothing after it: marked, but the place where it stands itself
UNPLACED = "instrument"  # a title without a place: no unit is meant, `LEAST` of them are enough

# Words that betray a form which few articles hold, and how many further articles to read for it.
# The entries "again", and those just before them from "own place" on, came when the first ones had
# left a form short. No article here says 전조 or 전항 of a place, or defines a short title: none
# is drawn for those forms.
RARE = {
    "range": (r"제\d+조(?:의\d+)?(?:제\d+항)?부터 제\d+조", 6),
    "same place": (r"같은 ?(?:조|항|호|목|표)", 6),
    "old same": (r"동(?:법|령|규칙|조|항|호)(?=[ ,제의에을를시])", 6),
    "annex": (r"별표", 5),
    "form": (r"별지", 5),
    "addendum": (r"부칙", 2),
    "branch range": (r"제\d+조의\d+부터 제\d+조의\d+까지", 4),
    "same instrument": (r"같은 (?:표|영|규칙|령)", 5),
    "bare title": (r"(?<![「가-힣])(?!같은|다른)[가-힣]{2,12}법(?: 시행령)? 제\d+조", 4),
    "name for one article": (r"이하 이 [조항]에서 \"[^\"]{0,20}(?:법|영|규칙)\"", 2),
    "law number": (r"법률 제\d+호", 3),
    "list": (r"」 제\d+조(?:의\d+)?(?:제\d+항)?(?:,| 및|ㆍ) ?제\d+조", 5),
    "same law's decree": (r"같은 법 시행(?:령|규칙) (?:제|별)", 4),
    "own place": (r"이 [조항호목] ?(?:제\d|[가-하]목)", 5),
    "in brackets": (r"제\d+조(?:의\d+)?\([^()]{0,40}제\d+조", 4),
    "old same, again": (r"동(?:법|령|규칙|조|항|호)(?=[ ,제의에을를시])", 5),
    "addendum, again": (r"부칙", 5),
    "bare title, again": (r"(?<![「가-힣])(?!같은|다른)[가-힣]{2,12}법(?: 시행령)? 제\d+조", 4),
    "law number, again": (r"법률 제\d+호", 3),
    "same instrument, again": (r"같은 (?:표|영|규칙|령)", 3),
}

# Far wider than any reference: the reader decides which brackets hold one.
WIDE = re.compile(
    r"「[^」]+」|제\d+(?:조|항|호|장|절|관)(?:의\d+)?|[가-하]목|별표(?: \d+)?|별지|부칙|서식"
    r"|(?:같은|이|동|당해|해당|전|본) ?(?:법|영|령|규칙|조|항|호|목|표|각 [항호])(?![가-힣]{2})"
    r"|(?<![가-힣])(?:법|영|규칙|시행령|시행규칙)(?![가-힣])|각 [항호]|[전후]단|본문|단서"
)
_PLACE = re.compile(
    r"제\d+(?:조|항|호)|[가-하]목|별표|서식|」|(?:같은|동|이) ?(?:법|영|규칙|조|항|호|표)"
)


def drawn_articles(statutes: Sequence[Statute], seed: int = SEED) -> list[tuple[str, Unit]]:
    """Return the articles to read, each with why it was drawn, in the order drawn."""
    living = _living(statutes)
    drawn = [("random", unit) for unit in random.Random(seed).sample(living, READ_AT_RANDOM)]
    for name, (pattern, wanted) in RARE.items():
        taken = {unit.semantic_id for _, unit in drawn}
        holding = [u for u in living if u.semantic_id not in taken and re.search(pattern, u.text)]
        chosen = random.Random(f"{seed} {name}").sample(holding, min(wanted, len(holding)))
        drawn += [(name, unit) for unit in chosen]
    return drawn


def held_out_articles(
    statutes: Sequence[Statute], count: int = READ_HELD_OUT, seed: int = SEED_HELD_OUT
) -> list[Unit]:
    """Return articles of which none was drawn before, in the order drawn.

    Each is drawn with a chance that grows with the number of places in its text. Fewer than
    `count` come where fewer articles name a place.
    """
    before = {unit.semantic_id for _, unit in drawn_articles(statutes)}
    left = [unit for unit in _living(statutes) if unit.semantic_id not in before]
    weights = [len(_PLACE.findall(unit.text)) for unit in left]
    wanted = min(count, sum(weight > 0 for weight in weights))
    rng = random.Random(seed)
    drawn: dict[str, Unit] = {}
    while len(drawn) < wanted:
        unit = rng.choices(left, weights)[0]
        drawn.setdefault(unit.semantic_id, unit)
    return list(drawn.values())


def _living(statutes: Sequence[Statute]) -> list[Unit]:
    """Return the articles in force that have text, by id."""
    articles = (
        unit
        for one in statutes
        for unit in one.units
        if unit.level is Level.ARTICLE and unit.text and not unit.deleted
    )
    return sorted(articles, key=lambda unit: unit.semantic_id)


def drawn_sample(
    marks: Iterable[dict[str, Any]], size: int = SAMPLED, seed: int = SEED
) -> list[dict[str, Any]]:
    """Return `size` of the marked references, in their order, stratified by ``form``.

    A form gives `LEAST` references or all it has, and of the others its share. Raises KeyError
    for a mark without a form.
    """
    strata: dict[str, list[int]] = defaultdict(list)
    listed = list(marks)
    for at, mark in enumerate(listed):
        strata[mark["form"]].append(at)
    rng = random.Random(seed)
    chosen: list[int] = []
    rest: list[int] = []
    for form in sorted(strata.keys() - {UNDRAWN}):
        mixed = rng.sample(strata[form], len(strata[form]))
        chosen += mixed[:LEAST]
        rest += mixed[LEAST:] if form != UNPLACED else []
    chosen += rng.sample(rest, max(0, min(size - len(chosen), len(rest))))
    return [listed[at] for at in sorted(chosen[:size])]


def marks_of(path: Path) -> list[dict[str, Any]]:
    """Return the marked references of the articles read, each with the ``unit_id`` it stands in.

    Raises KeyError or ValueError for a line of another shape.
    """
    articles = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [{"unit_id": one["unit_id"], **mark} for one in articles for mark in one["references"]]


def bracketed(text: str) -> str:
    """Return a text with brackets around whatever might be a reference."""
    return WIDE.sub(lambda found: f"⟦{found[0]}⟧", text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the articles to read, or the sample drawn from their marks."""
    options = PARSER.parse_args(arguments)
    if options.what == "sample":
        for mark in drawn_sample(marks_of(READ)):
            print(json.dumps(mark, ensure_ascii=False))
        return 0
    statutes = read_tree(options.statutes)
    articles = drawn_articles(statutes)
    if options.what == "held-out":
        articles = [("held out", unit) for unit in held_out_articles(statutes)]
    for why, unit in articles:
        print(f"# {unit.semantic_id} [{why}] {unit.heading}\n{bracketed(unit.text)}\n")
    return 0


def statutes_folder() -> Path:
    """Return the folder of the statutes that were read: the fire-safety statutes."""
    return SHARED / "korean-law/fire-safety/kr"


if __name__ == "__main__":
    sys.exit(main())
