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
`benchmarks.corpus` scores with these what is read of references (`citation_figures`,
`pinpoint_accuracy`, `whole_article_figures`).

A sample is JSONL, one reference a line that a person resolved by reading: ``unit_id``, ``start``
and ``end`` in the unit's text, ``text`` (exactly that stretch), ``form`` where it is told, and
``targets``: objects with ``unit_id``, and with ``pinpoint`` where one is given, a part path
(``1항/3호/가목``), empty where the whole unit is named. Empty ``targets`` say that the corpus holds
no unit that is meant. A line whose text is not what stands there is for another version of the law
and is left out.

``citation_precision``  of the references resolved in the sampled stretches, how many are right
``citation_recall``     of the sampled references that mean a unit, how many are found and right
``pinpoint_accuracy``   of the sampled references whose units were resolved right and whose every
                        target gives a ``pinpoint``, of how many exactly those parts were read

The sample asks only about the references it lists. The articles were read whole, so that a
reference resolved where there is none counts as wrong. One a line: ``unit_id``, ``drawn`` (why) and
``references``, each as a line of the sample without its ``unit_id``.

``whole_precision``  of the resolved references in these articles, how many stand where one was
                     marked and mean nothing else than what was marked
``whole_recall``     of the marked references that mean a unit, how many are resolved to exactly
                     their units; words that name only the place where they stand (이 조) are no
                     part of it
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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.citations.model import Status, Target
from corpus.graph.build import GraphBuild
from corpus.graph.model import Reference
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Statute, Unit
from evaluation.figure import Figure
from normalization.grouping import grouped

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
    listed = list(marks)
    strata = grouped((mark["form"], at) for at, mark in enumerate(listed))
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


FIXTURE = ROOT / "tests" / "fixtures" / "references.jsonl"


@dataclass(frozen=True, slots=True)
class Mark:
    """One reference as a reader marked it. ``targets`` have no pinpoint where none was written."""

    unit_id: str
    start: int
    end: int
    text: str
    form: str
    targets: tuple[tuple[str, str | None], ...]

    @property
    def units(self) -> set[str]:
        """Return the units meant; none where the corpus holds none."""
        return {unit for unit, _ in self.targets}


def mark_of(fields: Mapping[str, Any]) -> Mark:
    """Return the mark of a line of the sample. Raises KeyError for a line without its fields."""
    targets = tuple((one["unit_id"], one.get("pinpoint")) for one in fields["targets"])
    place = fields["unit_id"], fields["start"], fields["end"]
    return Mark(*place, fields["text"], fields.get("form", ""), targets)


def read_marks(path: Path) -> list[Mark]:
    """Return the sample's marks. Raises KeyError or ValueError for a line of another shape."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [mark_of(json.loads(line)) for line in lines if line.strip()]


def pinpoint_accuracy(
    marks: Iterable[Mark], statutes: Sequence[Statute], built: GraphBuild
) -> Figure:
    """Return the share of references whose parts were read right, among those of right units."""
    texts = texts_of(statutes)
    found = resolved_by_unit(built.references)
    right = [
        read == set(mark.targets)
        for mark in marks
        if stands(mark, texts) and all(pinpoint is not None for _, pinpoint in mark.targets)
        for read in [{(one.unit_id, one.pinpoint) for one in targets_within(mark, found)}]
        if mark.targets and {unit for unit, _ in read} == mark.units
    ]
    return _share("pinpoint_accuracy", right)


def texts_of(statutes: Sequence[Statute]) -> dict[str, str]:
    """Return the text of every unit by its id."""
    return {unit.semantic_id: unit.text for one in statutes for unit in one.units}


def stands(mark: Mark, texts: Mapping[str, str]) -> bool:
    """Return whether the marked words stand where they were read: else it is another version."""
    return texts.get(mark.unit_id, "")[mark.start : mark.end] == mark.text


def resolved_by_unit(references: Iterable[Reference]) -> dict[str, list[Reference]]:
    """Return the resolved references by the unit that they stand in."""
    return grouped((one.unit_id, one) for one in references if one.status is Status.RESOLVED)


def targets_within(mark: Mark, references: Mapping[str, Sequence[Reference]]) -> list[Target]:
    """Return the targets of the resolved references that share a character with the mark."""
    return [
        target
        for one in references.get(mark.unit_id, ())
        if one.start < mark.end and mark.start < one.end
        for target in one.targets
    ]


@dataclass(frozen=True, slots=True)
class ReadArticle:
    """An article that was read whole; ``drawn`` says why it was drawn (``random``, or a form)."""

    unit_id: str
    drawn: str
    marks: tuple[Mark, ...]


def read_articles(path: Path) -> list[ReadArticle]:
    """Return the articles read. Raises KeyError or ValueError for a line of another shape."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        ReadArticle(
            line["unit_id"],
            line["drawn"],
            tuple(mark_of({**one, "unit_id": line["unit_id"]}) for one in line["references"]),
        )
        for line in lines
    ]


def whole_article_figures(
    articles: Sequence[ReadArticle], statutes: Sequence[Statute], built: GraphBuild
) -> list[Figure]:
    """Return both figures over the articles whose text is as it was read."""
    texts = texts_of(statutes)
    present = [
        one
        for one in articles
        if one.unit_id in texts and all(stands(mark, texts) for mark in one.marks)
    ]
    found = resolved_by_unit(built.references)
    claims = [_right(claim, one.marks) for one in present for claim in found.get(one.unit_id, ())]
    meant = [mark for one in present for mark in one.marks if mark.targets and mark.form != UNDRAWN]
    read = [{each.unit_id for each in targets_within(mark, found)} for mark in meant]
    right = [units == mark.units for units, mark in zip(read, meant, strict=True)]
    return [_share("whole_precision", claims), _share("whole_recall", right)]


def _right(claim: Reference, marks: Sequence[Mark]) -> bool:
    """Return whether a resolved reference means only what the marks it touches mean."""
    touched = [mark for mark in marks if mark.start < claim.end and claim.start < mark.end]
    meant = {unit for mark in touched for unit in mark.units}
    return {target.unit_id for target in claim.targets} <= meant


def _share(name: str, right: Sequence[bool]) -> Figure:
    return Figure(name, sum(right) / len(right) if right else None, len(right))


def citation_figures(
    marks: Iterable[Mark], statutes: Sequence[Statute], built: GraphBuild
) -> list[Figure]:
    """Return precision over what was resolved of the sample, and recall over what it resolves."""
    texts, found = texts_of(statutes), resolved_by_unit(built.references)
    pairs = [
        ({target.unit_id for target in targets_within(mark, found)}, mark.units)
        for mark in marks
        if stands(mark, texts)
    ]
    return [
        _share("citation_precision", [read == meant for read, meant in pairs if read]),
        _share("citation_recall", [read == meant for read, meant in pairs if meant]),
    ]


if __name__ == "__main__":
    sys.exit(main())
