"""How statutes are named in citations: read right, left open, or read as another statute?

    python -m benchmarks.citation_names [--statutes DIR] [--each N] [--json] [--wrong]

The citations are made from the statutes' own titles, so what each means is known by construction.
A fifth of the families of statutes is held back: the corpus lacks them, and whatever is read of a
citation of theirs is read wrong. A name that several statutes could bear, held back or not, is not
asked for. From each of the others and for each way of naming below, one article, decree or rule is
drawn (`--each` citations of a way at most, seed 9).

* ``title``, ``title_bare``, ``title_unspaced``, ``title_unspaced_bare``, ``title_dots``: the title
  as it is, without brackets, without blanks, with other middle dots;
* ``title_words``: without particles and without 및, 등, 에 관한;
* ``short_run``, ``short_pieces``, each also ``_bare``: short names of the first whole words, and of
  leading syllables of the words (소방시설법, 화재예방법);
* ``short_tier``, ``short_tier_bare``: a short name's decree or rule (화재예방법 시행규칙), with
  or without the blank;
* ``tier_outside``: 「…법」 시행규칙; ``same_tier``: 「…법」 제1조 및 같은 법 시행령 제2조, with
  동법 as well; ``level_tier``: 「…법」 제1조, 영 제2조, 규칙 제3조, 시행규칙 제3조;
* ``inside_title``: a title that ends in another one (군형법), without brackets;
* ``defined``, ``defined_tier``: a short name that the text gives the act, and its decree or rule;
* ``renamed``: the former title of a statute that kept its articles.

``recall_*`` is the share read as exactly the article meant, ``precision_*`` the share of those
read that were read so. ``open_*`` is the share left open of citations that mean no article of the
corpus: ``absent_*`` of the statutes held back, ``absent_tier`` a decree or rule that the corpus
lacks while it has others of the family, ``absent_place`` an article that the decree or rule lacks
while another of the family has it, ``absent_german`` and ``absent_us`` of other countries.
``misread`` is the share of all read as another article than meant. Intervals are Wilson's.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program

PARSER = program(__doc__, "recall_* precision_* open_* misread")
PARSER.add_argument("--statutes", type=Path, default=SHARED / "korean-law/fire-safety/kr")
PARSER.add_argument("--each", type=int, default=200, help="citations of each way at most")
PARSER.add_argument("--wrong", action="store_true", help="list what was not read right")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import re
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.program import need, run
from corpus.citations.catalogue import RENAMED, Catalogue, CatalogueEntry, Instrument, title_words
from corpus.citations.find import find
from corpus.citations.model import Role, Status, normal
from corpus.citations.resolve import resolve
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, parse_place
from evaluation.figure import Figure, share_figure
from normalization.grouping import grouped

SEED, HELD_BACK = 9, 5
_TYPES = ("특별조치법", "특별법", "기본법", "법률", "법", "규칙", "규정", "령")
_TAILS = {Role.DECREE: "시행령", Role.RULE: "시행규칙"}
_LEVELS = {Role.DECREE: ("영", "시행령"), Role.RULE: ("규칙", "시행규칙")}
_GERMAN = ("§ {n} BGB", "§ {n} Abs. 1 Satz 2 Nr. 3 StGB", "Art. {n} Abs. 1 GG", "§§ {n} bis 99 HGB")
_US = ("{n} U.S.C. § 107", "{n} C.F.R. § 164.504(a)(1)", "42 U.S.C. § {n}d-2", "Pub. L. 111-{n}")


@dataclass(frozen=True, slots=True)
class Written:
    """A citation as it is written in `text` from `start`; `unit` is what it means, "" for none."""

    way: str
    text: str
    start: int
    unit: str

    def read(self, catalogue: Catalogue) -> frozenset[str]:
        """Return the units that the citation is read as."""
        found = resolve(find(self.text), self.text, catalogue)
        return frozenset(
            target.unit_id
            for one in found
            if one.status is Status.RESOLVED and one.citation.end > self.start
            for target in one.targets
        )


@dataclass(frozen=True, slots=True)
class Family:
    """The head of a family with its decree and its rule, where there are any."""

    head: Instrument
    tiers: dict[Role, Instrument]
    held_back: bool


class Law:
    """The statutes that citations are made of: a corpus, and families that it lacks."""

    def __init__(self, entries: Sequence[CatalogueEntry], seed: int = SEED) -> None:
        whole = Catalogue(entries)
        members = grouped((one.base, one) for one in whole.instruments)
        bases = sorted(members)
        gone = set(Random(seed).sample(bases, len(bases) // HELD_BACK))
        ids = {one.statute_id for base in gone for one in members[base]}
        self.families = [f for base in bases if (f := _family(members[base], base in gone))]
        self.corpus = Catalogue(e for e in entries if e.statute_id not in ids)
        self.owners: dict[str, set[str]] = defaultdict(set)
        for each in self.families:
            for name in {each.head.title, *short_runs(each.head), *short_pieces(each.head)}:
                self.owners[normal(name)].add(each.head.base)
            self.owners[normal(without_particles(each.head.title))].add(each.head.base)

    def alone(self, name: str) -> bool:
        """Tell whether a name could be that of one family only."""
        return len(self.owners[normal(name)]) == 1


def _family(members: Sequence[Instrument], held_back: bool) -> Family | None:
    heads = [one for one in members if one.standing is Role.ACT and articles(one)]
    if len(heads) != 1 or not re.search("[가-힣]", heads[0].title):
        return None
    tiers = {
        role: next(one for one in members if one.standing is role)
        for role in _TAILS
        if sum(one.standing is role for one in members) == 1
    }
    return Family(heads[0], tiers, held_back)


def articles(one: Instrument) -> list[tuple[str, str]]:
    """Return number and unit of the articles of an instrument."""
    placed = ((parse_place(place), unit) for place, unit in sorted(one.units.items()))
    return [(place[1], unit) for place, unit in placed if place and place[0] is Level.ARTICLE]


def as_cited(number: str) -> str:
    """Return a number as a citation writes it: ``제24조의2`` for ``24의2``."""
    base, _, branch = number.partition("의")
    return f"제{base}조" + (f"의{branch}" if branch else "")


def type_and_words(one: Instrument) -> tuple[str, tuple[str, ...]]:
    """Return the type that ends a title, and its content words."""
    kind = next((each for each in _TYPES if one.title.endswith(each)), "")
    return ("법" if kind == "법률" else kind), title_words(one.title)


def short_runs(one: Instrument) -> list[str]:
    """Return the short names of the first whole words: 소방시설법."""
    kind, words = type_and_words(one)
    names = ["".join(words[:count]) + kind for count in range(1, len(words))]
    return [name for name in names if _is_short(name, kind, one)]


def short_pieces(one: Instrument) -> list[str]:
    """Return the short names of the first two syllables of the first two to four words."""
    kind, words = type_and_words(one)
    names = ["".join(word[:2] for word in words[:count]) + kind for count in (2, 3, 4)]
    return [name for name in dict.fromkeys(names) if _is_short(name, kind, one)]


def _is_short(name: str, kind: str, one: Instrument) -> bool:
    return bool(kind) and len(name) - len(kind) >= 3 and normal(name) != normal(one.title)


def without_particles(title: str) -> str:
    """Return a title without particles and fillers: 소방시설 설치 관리 법률."""
    kind = next((each for each in _TYPES if title.endswith(each)), "")
    return f"{' '.join(title_words(title))} {kind}" if kind else title


Name = Callable[[Family, Random], str | None]
_LEADS = ("", "설치한다. ", "자는 ", "관련하여 ", "질의하신 시설은 ")
_FOLLOWS = ("에 따라 한다.", "의 규정", "을 적용한다.", " 제1항에 따른다.", "에서")


def title_of(each: Family, _: Random) -> str:
    """Return the title."""
    return each.head.title


def dotted(each: Family, chance: Random) -> str | None:
    """Return the title with other middle dots, None where it has none."""
    title = each.head.title
    return re.sub("ㆍ", chance.choice(("·", "・", ", ", " ")), title) if "ㆍ" in title else None


def drawn(names: Callable[[Instrument], list[str]]) -> Name:
    """Return what draws one of an instrument's names, None where it has none."""

    def draw(each: Family, chance: Random) -> str | None:
        found = names(each.head)
        return chance.choice(found) if found else None

    return draw


NAMES: dict[str, Name] = {
    "title": title_of,
    "title_unspaced": lambda each, _: each.head.title.replace(" ", ""),
    "title_dots": dotted,
    "title_words": lambda each, _: without_particles(each.head.title),
    "short_run": drawn(short_runs),
    "short_pieces": drawn(short_pieces),
}
BARE = ("title", "title_unspaced", "short_run", "short_pieces")


def named(law: Law, chance: Random) -> Iterator[Written]:
    """Yield citations of articles of the heads of families, each named in every way."""
    for way, name_of in NAMES.items():
        for each in law.families:
            name = name_of(each, chance)
            if name is None or not law.alone(name):
                continue
            if name == each.head.title and way in ("title_unspaced", "title_words"):
                continue
            prefix = "absent_" if each.held_back else ""
            number, unit = chance.choice(articles(each.head))
            unit = "" if each.held_back else unit
            yield cited(prefix + way, f"「{name}」 ", number, unit, chance)
            if way in BARE:
                yield cited(f"{prefix}{way}_bare", f"{name} ", number, unit, chance)


def cited(way: str, name: str, number: str, unit: str, chance: Random, before: str = "") -> Written:
    """Return a citation of an article by a name, with words around it."""
    lead = before or chance.choice(_LEADS)
    return Written(way, f"{lead}{name}{as_cited(number)}{chance.choice(_FOLLOWS)}", len(lead), unit)


def tiers(law: Law, chance: Random) -> Iterator[Written]:
    """Yield citations of decrees and rules by way of their act."""
    for each in law.families:
        if each.held_back or not law.alone(each.head.title):
            continue
        for role, tail in _TAILS.items():
            one = each.tiers.get(role)
            if one is not None and articles(one):
                yield from _of_tier(law, each, role, chance.choice(articles(one)), chance)
            elif one is None:
                yield from _lacking(law, each, tail, chance)
            yield from _elsewhere(each, role, chance)


def _of_tier(
    law: Law, each: Family, role: Role, meant: tuple[str, str], chance: Random
) -> Iterator[Written]:
    title, tail = each.head.title, _TAILS[role]
    first = f"「{title}」 {as_cited(articles(each.head)[0][0])}"
    yield cited("tier_outside", f"「{title}」 {tail} ", *meant, chance)
    same = chance.choice(("같은 법", "동법", "같은법", "동 법"))
    blank = chance.choice((" ", ""))
    if each.head.role is Role.ACT:
        yield cited("same_tier", f"{same}{blank}{tail} ", *meant, chance, f"{first} 및 ")
    yield cited("level_tier", f"{chance.choice(_LEVELS[role])} ", *meant, chance, f"{first}, ")
    short = [name for name in (*short_runs(each.head), *short_pieces(each.head)) if law.alone(name)]
    if short:
        name = f"{chance.choice(short)}{blank}{tail}"
        yield cited("short_tier", f"「{name}」 ", *meant, chance)
        yield cited("short_tier_bare", f"{name} ", *meant, chance)
        defined = f'「{title}」(이하 "{short[0]}"이라 한다) '
        yield cited(
            "defined_tier", f"{short[0]}{blank}{tail} ", *meant, chance, f"{defined}제1조, "
        )


def _lacking(law: Law, each: Family, tail: str, chance: Random) -> Iterator[Written]:
    """Yield citations of a decree or rule that no corpus has."""
    number, _ = chance.choice(articles(each.head))
    first = f"「{each.head.title}」 제1조 및 "
    yield cited("absent_tier", f"「{each.head.title} {tail}」 ", number, "", chance)
    if each.head.role is Role.ACT:
        yield cited("absent_tier", f"같은 법 {tail} ", number, "", chance, first)
    for name in filter(law.alone, (*short_runs(each.head), *short_pieces(each.head))):
        yield cited("absent_tier", f"「{name} {tail}」 ", number, "", chance)


def _elsewhere(each: Family, role: Role, chance: Random) -> Iterator[Written]:
    """Yield citations of an article that a decree or rule lacks and another of the family has."""
    one = each.tiers.get(role)
    if one is None:
        return
    own = {number for number, _ in articles(one)}
    others = [i for i in (each.head, *each.tiers.values()) if i is not one]
    numbers = sorted({number for other in others for number, _ in articles(other)} - own)
    if numbers:
        name = chance.choice((f"「{one.title}」 ", f"「{each.head.title}」 {_TAILS[role]} "))
        yield cited("absent_place", name, chance.choice(numbers), "", chance)


def inside(law: Law, chance: Random) -> Iterator[Written]:
    """Yield bare citations of statutes whose titles end in another statute's."""
    titles = {each.head.title for each in law.families}
    for each in law.families:
        title = each.head.title
        if any(title[at:] in titles for at in range(1, len(title))):
            number, unit = chance.choice(articles(each.head))
            way = "absent_inside_title" if each.held_back else "inside_title"
            yield cited(way, f"{title} ", number, "" if each.held_back else unit, chance)


def others(law: Law, chance: Random) -> Iterator[Written]:
    """Yield citations by names that the text defines, by former titles, and of other countries."""
    for each in law.families:
        short = [name for name in short_runs(each.head) if law.alone(name)]
        if short and not each.held_back:
            before = f'「{each.head.title}」(이하 "{short[0]}"이라 한다) 제1조와 '
            yield cited(
                "defined", f"{short[0]} ", *chance.choice(articles(each.head)), chance, before
            )
    for old, new in sorted(RENAMED.items()):
        for each in law.families:
            if each.head.base == new and not each.held_back:
                yield cited("renamed", f"「{old}」 ", *chance.choice(articles(each.head)), chance)
    for way, shapes in (("absent_german", _GERMAN), ("absent_us", _US)):
        for shape in shapes:
            for number in range(1, 26):
                lead = chance.choice(("", "소방기본법 제1조와 달리 ", "nach "))
                yield Written(way, f"{lead}{shape.format(n=number)}", len(lead), "")


def made(law: Law, each: int, seed: int = SEED) -> list[Written]:
    """Return the citations, of every way `each` at most, in order of their ways."""
    chance = Random(seed)
    makers = (named, tiers, inside, others)
    ways = grouped((one.way, one) for make in makers for one in make(law, chance))
    return [
        one
        for way in sorted(ways)
        for one in (chance.sample(ways[way], each) if len(ways[way]) > each else ways[way])
    ]


def figures(done: Sequence[tuple[Written, frozenset[str]]]) -> list[Figure]:
    """Return the shares of each way, and that of all that were misread."""
    ways = grouped((one[0].way, one) for one in done)
    found: list[Figure] = []
    for way, tried in ways.items():
        if way.startswith("absent_"):
            found.append(_share(f"open_{way}", [not read for _, read in tried]))
            continue
        right = [(read, read == {one.unit}) for one, read in tried]
        found.append(_share(f"recall_{way}", [good for _, good in right]))
        found.append(_share(f"precision_{way}", [good for read, good in right if read]))
    return [*found, _share("misread", [bool(read) and read != {one.unit} for one, read in done])]


def _share(name: str, good: Sequence[bool]) -> Figure:
    return share_figure(name, sum(good), len(good))


def measure(entries: Sequence[CatalogueEntry], each: int) -> list[tuple[Written, frozenset[str]]]:
    """Make the citations of a corpus and read them."""
    law = Law(entries)
    return [(one, one.read(law.corpus)) for one in made(law, each)]


def figures_of(options: Namespace, _: Path) -> list[Figure]:
    """Return every figure; print what was read wrong where that is asked for."""
    need(options, "statutes")
    entries = [
        CatalogueEntry(s.semantic_id, s.title, s.kind, s.tier, u.semantic_id, u.heading)
        for s in read_tree(options.statutes)
        for u in s.units
    ]
    done = measure(entries, options.each)
    for one, read in done if options.wrong and not options.json else ():
        if read != ({one.unit} if one.unit else frozenset()):
            found = ", ".join(sorted(read)) or "–"
            print(f"{one.way}: {one.text}\n    {one.unit or '–'} ← {found}")
    return figures(done)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
