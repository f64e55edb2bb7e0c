"""Everything that court cases must reach, in one run: mapping, grouping, tagging.

    python -m benchmarks.cases [--only mapping,grouping,tagging] [--cases 1226814] [--seed 0]
                               [--grouped 170000] [--sub-factors 40] [--inputs 2000] [--json]

**Mapping** a country's criminal judgments to standard groups. As many cases as LEGAR BENCH has are
drawn for a typology of its 33 categories with its number of groups each (Table 4: 411 in all). A
case has one to three charges, written as judgments write them: listed, numbered, in one title, with
or without spaces, with remarks, with provisions of the charge among others. Of one case in seven
the charge is in no typology. Figures:

* ``mapping_seconds``: from the titles, charges and provisions to the groups of every case and the
  table of coverage. Drawing the cases is not in it. ``mapping_cpu_seconds`` is the processor's time
  of the same, which other work on the machine does not lengthen.
* ``mapping_peak_rss_mb``: the most memory the process held, with all cases and all results in it;
  mapping comes first, so the other parts are not in it.
* ``mapping_wrong``: cases whose groups are not those they were drawn for.

**Grouping**: are stricter groups those of the algorithm as it is printed? So many synthetic court
cases have an answer to every sub-factor, drawn around a few thousand typical ones, so that many
share long runs of answers. In a second table the last answer is each case's own, so that no two
have all alike and the back-off is needed. Figures:

* ``grouping_seconds``: seconds to turn the answers into codes and to form the groups, for the
  slower of the two tables, all cases in one standard group; ``n`` counts the cases.
  ``grouping_cpu_seconds`` is the processor's time of the same.
* ``grouping_mismatches``: of so many small random tables, those whose groups differ from the ones
  that a direct transcription of Algorithm 1 returns.

**Tagging** is a benchmark of its own, `benchmarks.cases_tagging`.
"""

from __future__ import annotations

import sys

from benchmarks.program import program, several

PARTS = ("mapping", "grouping", "tagging")
PARSER = program(__doc__, "mapping_* grouping_* tagging_*")
PARSER.add_argument(
    "--only", type=several(PARTS), default=PARTS, help="parts, a comma between them"
)
PARSER.add_argument("--cases", type=int, default=1_226_814, help="to map")
PARSER.add_argument("--seed", type=int, default=0)
PARSER.add_argument("--grouped", type=int, default=170_000, help="cases to group")
PARSER.add_argument("--sub-factors", type=int, default=40)
PARSER.add_argument("--inputs", type=int, default=2000, help="small random tables")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import random
import resource
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.program import run
from construction.cases.group_mapping import Mapper, coverage
from construction.cases.typology import Category, Charge, Group, Typology
from construction.stricter.grouping import NOTHING, Grouping, encoded, grouping
from evaluation.figure import Figure
from normalization.grouping import grouped

_OF_CATEGORIES = "13 21 31 132 38 13 15 5 5 11 8 5 15 7 6 5 10 11 2 3 3 2 11 4 2 1 1 3 2 1 1 14 10"
GROUPS = tuple(map(int, _OF_CATEGORIES.split()))  # of the 33 categories of Table 4, in its order
UNKNOWN_SHARE = 1 / 7  # Table 4: 85.79 % are mapped
_MEGABYTE = 1024  # ru_maxrss is in kilobytes


@dataclass(frozen=True, slots=True)
class Drawn:
    """A case as it was drawn: what a judgment says, and the places of the groups it is of."""

    title: str
    charges: tuple[str, ...]
    provisions: tuple[str, ...]
    groups: tuple[str, ...]


def typology() -> Typology:
    """Return 33 categories with 411 groups; every third charge is divided by provisions."""
    return Typology(tuple(_category(n, groups) for n, groups in enumerate(GROUPS)))


def draw(cases: int, seed: int) -> list[Drawn]:
    """Return so many cases of the typology."""
    rng = random.Random(seed)
    known = [(charge, group) for _, charge, group in typology().groups()]
    order = {group.key: at for at, (_, group) in enumerate(known)}
    return [_case(rng, known, order) for _ in range(cases)]


def mapping_figures(cases: int, seed: int) -> list[Figure]:
    """Return what mapping so many cases takes, and how many were mapped wrong."""
    drawn = draw(cases, seed)
    start, cpu = time.perf_counter(), time.process_time()
    book = typology()
    mapper = Mapper(book)
    mapped = [mapper.map(each.title, each.charges, each.provisions) for each in drawn]
    found = coverage(book, mapped)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MEGABYTE
    wrong = sum(a.groups != b.groups for a, b in zip(drawn, mapped, strict=True))
    return [
        Figure("mapping_seconds", seconds, cases),
        Figure("mapping_cpu_seconds", cpu, cases),
        Figure("mapping_peak_rss_mb", peak, cases),
        Figure("mapping_wrong", wrong, cases),
        Figure("mapping_groups", found.groups, len(found.rows)),
        Figure("mapping_share", found.share, cases),
    ]


def _category(number: int, groups: int) -> Category:
    charges: list[Charge] = []
    left = groups
    while left:
        size = min(left, 3) if len(charges) % 3 == 2 else 1
        charges.append(_charge(number, len(charges), size))
        left -= size
    name = f"범죄 {number}"
    return Category(f"c{number}", {"en": f"Crimes {number}", "ko": name}, tuple(charges))


def _charge(category: int, number: int, size: int) -> Charge:
    key, title = f"x{number}", f"제{category}종{number}특별법위반(유형{number})"
    label = {"en": f"Violation of Act {category} (Kind {number})", "ko": title}
    full = f"c{category}.{key}"
    if size == 1:
        return Charge(key, label, tuple(label.values()), (Group(full, label),))
    groups = tuple(
        Group(
            f"{full}.g{n}", label, (f"{_statute(category, number)} 제{number + 1}조 제{n + 1}항",)
        )
        for n in range(size)
    )
    return Charge(key, label, tuple(label.values()), groups)


def _statute(category: int, number: int) -> str:
    return f"특별법 {'가나다라마바사아자차'[category % 10]}{'갑을병정'[category // 10]}" + (
        "의" * (number % 3) + "법률"
    )


def _case(
    rng: random.Random, known: Sequence[tuple[Charge, Group]], order: dict[str, int]
) -> Drawn:
    picked = [rng.choice(known) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    picked = list({charge.titles: (charge, group) for charge, group in picked}.values())
    if rng.random() < UNKNOWN_SHARE:
        return Drawn("", (f"알려지지 않은 죄 {rng.randrange(2_000)}",), (), ())
    titles = [_written(rng, charge.titles[1]) for charge, _ in picked]
    provisions = [_provision(rng, text) for _, group in picked for text in group.provisions]
    provisions += [f"형법 제{rng.randrange(1, 372)}조 제{rng.randrange(1, 5)}항"]
    groups = tuple(sorted((group.key for _, group in picked), key=order.__getitem__))
    title, charges = "", tuple(titles)
    if rng.random() < 0.5:
        title, charges = _joined(rng, titles), ()
    return Drawn(title, charges, tuple(provisions), groups)


def _written(rng: random.Random, title: str) -> str:
    return rng.choice((title, title.replace("위반", " 위반 "), f"{title} 등"))


def _joined(rng: random.Random, titles: Sequence[str]) -> str:
    if rng.random() < 0.5:
        return ", ".join(titles)
    return " ".join(f"{'가나다'[n]}. {title}" for n, title in enumerate(titles))


def _provision(rng: random.Random, text: str) -> str:
    item = f" 제{rng.randrange(1, 9)}호" if rng.random() < 0.5 else ""
    remark = f"({rng.randrange(1990, 2024)}. 1. 1. 개정되기 전의 것)" if rng.random() < 0.2 else ""
    return f"{text}{item}{remark}"


OPTIONS = 4  # of a synthetic sub-factor
TYPICAL = 2000  # kinds of synthetic cases
CHANGED = 0.05  # of the answers of a synthetic case are not those of its kind

Answer = tuple[str, ...]


def transcribed(rows: Sequence[Sequence[object]], width: int) -> Grouping:
    """Return what Algorithm 1 returns, line by line; each length begins with empty groups."""
    for r in [width, *range(width, 0, -1)]:  # lines 3 to 9, then 10 to 18
        group = grouped((tuple(pairs[:r]), case) for case, pairs in enumerate(rows))
        shared = [tuple(cases) for cases in group.values() if len(cases) >= 2]
        if shared:
            return Grouping(r, tuple(sorted(shared, key=lambda cases: (-len(cases), cases[0]))))
    return NOTHING  # line 19


def random_table(rng: random.Random) -> tuple[list[tuple[str, ...]], int]:
    """Return a small table of answers and its width."""
    width, options = rng.randint(0, 7), rng.randint(1, 4)
    rows = rng.randint(0, 12)
    return [tuple(str(rng.randrange(options)) for _ in range(width)) for _ in range(rows)], width


def mismatches(inputs: int, seed: int = 0) -> int:
    """Count the tables of `inputs` random ones whose groups are not those of the transcription."""
    rng = random.Random(seed)
    tables = [random_table(rng) for _ in range(inputs)]
    return sum(grouping(encoded(*table)) != transcribed(*table) for table in tables)


def grouping_figures(cases: int, sub_factors: int, inputs: int) -> list[Figure]:
    """Return what grouping so many cases takes, and of how many small tables it is wrong."""
    rows = _answers(cases, sub_factors)
    apart = [(*row[:-1], (f"only {at}",)) for at, row in enumerate(rows)]
    seconds, cpu = max(_seconds(rows, sub_factors), _seconds(apart, sub_factors))
    return [
        Figure("grouping_seconds", seconds, cases),
        Figure("grouping_cpu_seconds", cpu, cases),
        Figure("grouping_mismatches", mismatches(inputs), inputs),
    ]


def _answers(cases: int, sub_factors: int) -> list[list[Answer]]:
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, OPTIONS, (TYPICAL, sub_factors))
    codes = kinds[rng.integers(0, TYPICAL, cases)]
    other = rng.random(codes.shape) < CHANGED
    codes[other] = rng.integers(0, OPTIONS, int(other.sum()))
    named = [(f"option-{code}",) for code in range(OPTIONS)]
    return [[named[code] for code in row] for row in codes.tolist()]


def _seconds(rows: Sequence[Sequence[Answer]], width: int) -> tuple[float, float]:
    """Return the seconds of the clock and those of the processor."""
    start, cpu = time.perf_counter(), time.process_time()
    grouping(encoded(rows, width))
    return time.perf_counter() - start, time.process_time() - cpu


def figures_of(options: Namespace, folder: Path) -> Iterator[Figure]:
    """Yield the figures of the parts that are asked for, in the order of the parts."""
    if "mapping" in options.only:
        yield from mapping_figures(options.cases, options.seed)
    if "grouping" in options.only:
        yield from grouping_figures(options.grouped, options.sub_factors, options.inputs)
    if "tagging" in options.only:
        from benchmarks import (
            cases_tagging,  # a browser is not held in memory while cases are mapped
        )

        yield from cases_tagging.figures_of(cases_tagging.PARSER.parse_args([]), folder)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
