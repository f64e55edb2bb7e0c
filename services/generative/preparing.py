"""Prepare pairs to train on: of a project's court cases and of the law in use.

Nothing of a question, an answer or gold is read, and the court cases that ask in the benchmarks are
left out, so that what is trained on them can be evaluated there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlmodel import Session

from annotation.people.roles import Act, allow
from construction.generative.key_tokens import KeyTokens
from construction.generative.pairs import (
    PER_TARGET,
    Pair,
    balanced,
    case_pairs,
    counts,
    held_out,
    per_target,
)
from construction.generative.statute_pairs import citation_pairs, identified, paragraph_pairs
from corpus.model import Unit
from corpus.progress import Progress
from errors import UserError, Where
from services.generative.case_facts import PROMPT, CaseFacts, CaseText, facts_of
from services.generative.pair_files import write_pairs
from services.law.graph.citation_graph import build_snapshot
from services.models.llm_adapter import ProjectAsker
from services.stricter.benchmark import Drawing, benchmark, query_text
from storage.cases.court_cases import hashes, listed, texts
from storage.db.workspace import Workspace
from storage.law.corpus import SnapshotView, load_statutes, snapshot_in_use
from storage.law.graph import METHOD, load_graph
from storage.law.passages import Levels
from storage.projects import find_project
from storage.runs.search_levels import levels_searched

RULE = 2  # raise it when equal law would give other pairs
READERS = ("sentences", "model")
_CASES_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class PairOptions:
    """What pairs are made of.

    `facts` says who takes the facts of cases apart. No kind has more than `times` the pairs of the
    rarest (of cases, of statutes), and no article more than `per_target` citing sentences. `aside`
    is the share of sources held out for the learning curve, `most` the facts of one case.
    """

    cases: bool = True
    statutes: bool = True
    facts: str = "sentences"
    most: int = 20
    times: float = 2.0
    per_target: int = PER_TARGET
    aside: float = 0.01
    seed: int = 0

    def check(self) -> None:
        """Raise UserError for an option that cannot be."""
        bounds = {"most": (2, 200), "times": (1, 1e6), "per_target": (1, 10**6), "aside": (0, 0.5)}
        for name, (low, high) in bounds.items():
            if not low <= (value := getattr(self, name)) <= high:
                told = {"value": value, "low": f"{low:,}", "high": f"{high:,.10g}"}
                raise UserError("generative_range", Where(field=name), **told)
        if self.facts not in READERS:
            raise UserError("generative_option", Where(field="facts"), value=self.facts)
        if not (self.cases or self.statutes):
            raise UserError("generative_nothing_asked")


@dataclass(frozen=True, slots=True)
class Prepared:
    """What was prepared: pairs by kind, before balancing, kept and held out; what was left out."""

    folder: Path
    made: dict[str, int]
    kept: dict[str, int]
    held_out: dict[str, int]
    cases: int
    cases_left_out: int
    facts_dropped: dict[str, int]
    notes: dict[str, int]
    texts: int


@dataclass
class _Made:
    pairs: list[Pair] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    cases: int = 0
    left_out: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)


def prepare(
    ws: Workspace,
    project_slug: str,
    folder: Path,
    options: PairOptions = PairOptions(),
    *,
    by: int | None = None,
    progress: Progress | None = None,
) -> Prepared:
    """Write the pairs of a project to `folder`; equal law, cases and options give equal bytes.

    The graph of the law in use is built if need be. `by` is who asks for it, None the operator;
    `progress` is called with (parts of the work done, parts). Raises UserError for who may not (a
    model's reading is making items), for options that cannot be, for a project that has neither
    law nor court cases, where a model is to read and there is none, and where no pair comes of it.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    options.check()
    if options.cases and options.facts == "model":
        allow(ws, project_slug, by, Act.MAKE_ITEMS)
    made = _Made()
    if options.statutes:
        _add_statutes(ws, project_slug, options, made, progress)
    if options.cases:
        _add_cases(ws, project_slug, options, made, progress)
    if not made.pairs:
        raise UserError("generative_nothing")
    return _written(folder, options, made)


def _written(folder: Path, options: PairOptions, made: _Made) -> Prepared:
    even = balanced(made.pairs, options.times, options.seed)
    kept, aside = held_out(even, options.aside, options.seed)
    found = Prepared(
        folder,
        counts(made.pairs),
        counts(kept),
        counts(aside),
        made.cases,
        made.left_out,
        dict(sorted(made.dropped.items())),
        dict(sorted(made.notes.items())),
        len(made.texts),
    )
    told = {name: value for name, value in asdict(found).items() if name != "folder"}
    about = {"rule": RULE, "options": asdict(options), **made.about, **told}
    write_pairs(folder, kept, aside, made.texts, about)
    return found


def _add_statutes(
    ws: Workspace,
    slug: str,
    options: PairOptions,
    made: _Made,
    progress: Progress | None,
) -> None:
    with ws.reading() as session:
        project = find_project(session, slug)
        snapshot = snapshot_in_use(session, project.id)
        levels = levels_searched(session, project.id)
    if snapshot is None:
        return
    build_snapshot(ws, snapshot.id)
    with ws.reading() as session:
        units = _units(session, snapshot, levels)
        edges = load_graph(session, snapshot.id).edges
    made.texts += [(unit.semantic_id, f"{unit.heading} {unit.text}".strip()) for unit in units]
    keys = KeyTokens.of(text for _, text in made.texts)
    found = {}
    for done, unit in enumerate(units, 1):
        found[unit.semantic_id] = identified(unit, keys)
        if progress and (done % 1_000 == 0 or done == len(units)):
            progress(done, len(units))
    seed = options.seed
    made.pairs += [pair for each in found.values() for pair in paragraph_pairs(each, seed)]
    made.pairs += per_target(citation_pairs(edges, found, seed), options.per_target, seed)
    made.about["law"] = {
        "snapshot": snapshot.content_hash,
        "graph": METHOD,
        "levels": list(map(str, levels)),
        "units": len(units),
    }


def _units(session: Session, snapshot: SnapshotView, levels: Levels) -> list[Unit]:
    return [
        unit
        for statute in load_statutes(session, snapshot.id)
        for unit in statute.units
        if unit.level in levels and not unit.deleted and unit.text
    ]


def _add_cases(
    ws: Workspace,
    slug: str,
    options: PairOptions,
    made: _Made,
    progress: Progress | None,
) -> None:
    with ws.reading() as session:
        project = find_project(session, slug).id
        asking = _asking(session, project)
        every = _cases(session, project)
        known = sha256(repr(hashes(session, project)).encode()).hexdigest()
    cases = [case for case in every if case.id not in asking]
    made.left_out = len(every) - len(cases)
    made.cases = len(cases)
    if not cases:
        return
    keys = KeyTokens.of(case.facts for case in cases)
    ask = ProjectAsker(ws, slug) if options.facts == "model" else None
    reader = "sentences" if ask is None else ask.identity((PROMPT,))
    for done, found in _read(cases, keys, ask, options.most):
        made.dropped.update(found.dropped)
        made.notes.update(found.notes)
        for case in cases[done - len(found.facts) : done]:
            made.pairs += case_pairs(case.id, case.facts, found.facts[case.id], options.seed)
        if progress:
            progress(done, len(cases))
    made.texts += [(f"case:{case.id}", case.facts) for case in cases]
    made.about["court_cases"] = {
        "content": known,
        "reader": reader,
        "queries_left_out": sorted(asking),
    }


def _read(
    cases: list[CaseText], keys: KeyTokens, ask: ProjectAsker | None, most: int
) -> Iterator[tuple[int, CaseFacts]]:
    """Yield how many cases are read so far, with the facts of the last ones."""
    for start in range(0, len(cases), _CASES_AT_ONCE):
        some = cases[start : start + _CASES_AT_ONCE]
        yield start + len(some), facts_of(some, keys, ask, most)


def _asking(session: Session, project_id: int) -> set[str]:
    """Return the cases that ask in a benchmark as it is drawn where nobody says otherwise."""
    try:
        found = benchmark(session, project_id, Drawing())
    except UserError as error:
        if error.code != "case_benchmark_empty":
            raise
        return set()
    return {query.case for each in found.sets.values() for query in each.queries}


def _cases(session: Session, project_id: int) -> list[CaseText]:
    lines = listed(session, project_id)
    said = texts(session, project_id, (line.id for line in lines))
    return [
        CaseText(line.external_id, query_text(line, said[line.id]), line.language) for line in lines
    ]
