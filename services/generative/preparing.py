"""Preparation of training pairs from a project's court cases and the law in use.

No question, answer or gold is read, and court cases that are benchmark queries are left out, so
that the trained model can be evaluated on them.

Extraction of facts from court cases, by a model or by sentences.

Replies are cached like any other call, so a case is asked about once per model and prompt. Where
the model refuses, fails, or is unreadable, the sentences of the case are used instead, and that is
counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlmodel import Session

from annotation.cases import mapped
from annotation.people.roles import Act, allow
from annotation.work.versioned_texts import TYPOLOGY
from construction.generative.facts import Fact, Facts, KeyTokens, facts_by_sentence
from construction.generative.pairs import (
    PER_TARGET,
    Pair,
    PairKind,
    balanced,
    case_pairs,
    counts,
    held_out,
    per_target,
)
from construction.generative.statute_pairs import citation_pairs, identified, paragraph_pairs
from corpus.long_work import Progress
from corpus.model import Unit
from errors import UserError, Where, require_known
from normalization import composed_value
from normalization.hashing import text_hash
from retrieval.core.method import Asker, ModelPrompt, ModelReply
from retrieval.core.model import Document
from retrieval.text.passages import readable, sentences
from services.generative.pair_files import write_pairs
from services.law.graph.citation_graph import build_snapshot
from services.models.llm_adapter import ProjectAsker
from services.stricter.groups import Drawing, benchmark, query_text
from storage.cases import hashes, listed, texts
from storage.db.workspace import Workspace
from storage.law.corpus import SnapshotView, load_statutes, snapshot_in_use, statute_titles
from storage.law.graph import METHOD, load_graph
from storage.law.passages import Levels
from storage.projects import find_project
from storage.runs.search_levels import levels_searched

PROMPT = "case_facts"
LONGEST = 20_000
"""Characters of a case's facts sent to a model; longer ones are truncated."""


@dataclass(frozen=True, slots=True)
class CaseText:
    """A court case by its external id: the text of its facts, and its language."""

    id: str
    facts: str
    language: str


@dataclass
class CaseFacts:
    """Facts of cases by id; `dropped` counts discarded facts by reason, `notes` the calls."""

    facts: dict[str, Sequence[Fact]] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def add(self, case: CaseText, facts: Facts) -> None:
        """Add the facts of a case."""
        self.facts[case.id] = facts.kept
        self.dropped.update(facts.dropped)


def facts_of(cases: Sequence[CaseText], keys: KeyTokens, ask: Asker | None, most: int) -> CaseFacts:
    """Return the facts of `cases` by the model `ask`; by sentence without it or a readable reply.

    Raises UserError where no model is set, or it takes no calls.
    """
    found = CaseFacts()
    said: Sequence[ModelReply | None] = [None] * len(cases)
    if ask is not None:
        said = ask([_fact_prompt(case, most) for case in cases])
        found.notes["asked"] = len(cases)
    for case, reply in zip(cases, said, strict=True):
        if reply is not None and not reply.problem:
            found.add(case, _parsed_facts(composed_value(json.loads(reply.text)), most))
            continue
        if reply is not None:
            found.notes[reply.problem] += 1
        cut = facts_by_sentence(case.facts, keys)
        found.add(case, Facts(cut.kept[:most], _dropped_counts(cut, most)))
    return found


def _fact_prompt(case: CaseText, most: int) -> ModelPrompt:
    """Return the prompt that asks for at most `most` facts of a case, its text cut to LONGEST."""
    language = "ko" if case.language == "ko" else "en"
    text = readable(case.facts[:LONGEST])
    return ModelPrompt(PROMPT, language, {"text": text, "most": str(most)})


def _parsed_facts(reply: Mapping[str, list[Mapping[str, str]]], most: int) -> Facts:
    """Return the relevant facts of a reply, at most `most`, and counts of the dropped ones."""
    kept: list[Fact] = []
    dropped: Counter[str] = Counter()
    for number, each in enumerate(reply["facts"], 1):
        core = " ".join(each["core"].split())
        if not each["relevant"] or not core:
            dropped["irrelevant"] += 1
        elif len(kept) == most:
            dropped["beyond"] += 1
        else:
            kept.append(Fact(number, " ".join(each["fact"].split()), core))
    return Facts(tuple(kept), dict(dropped))


def grounded(facts: Sequence[Fact], text: str, keys: KeyTokens) -> list[Fact]:
    """Replace the facts' identifiers by words of the case's text; drop facts without any there.

    A model paraphrases, and decoding can only write what occurs in the text: then the identifier
    starts with its first word that occurs, in the sentence containing most of its words, and
    continues as the text does. A fact without any such word is dropped.
    """
    places = sentences(text)
    whole = " ".join(text.split())
    found = (replace(fact, core=_core_in_text(fact.core, whole, places, keys)) for fact in facts)
    return [fact for fact in found if fact.core]


def _core_in_text(core: str, whole: str, places: Sequence[str], keys: KeyTokens) -> str:
    """Return a fact's core if the text has it, else words of the most similar place; "" if none."""
    if core in whole:
        return core
    words = [word for word in core.split() if keys.weight(word)]
    counts = [sum(word in place for word in words) for place in places]
    if not any(counts):
        return ""
    place = places[counts.index(max(counts))]
    start = place.find(next(word for word in words if word in place))
    spans = KeyTokens(keys.having, keys.texts, naive=True).identifiers(place[start:])
    return " ".join(place[start:][slice(*spans[0])].split()) if spans else ""


def _dropped_counts(facts: Facts, most: int) -> dict[str, int]:
    """Return how many facts were dropped, by reason; "beyond" are those over the limit."""
    more = len(facts.kept) - most
    return facts.dropped | ({"beyond": more} if more > 0 else {})


RULE = 3  # increase when equal law would give other pairs
READERS = ("sentences", "model")
IDENTIFIERS = ("key", "naive")
_CASES_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class PairOptions:
    """Options of the pairs.

    `facts` is the extractor of case facts. No kind has more than `times` the pairs of the rarest
    (of cases, of statutes), and no article more than `per_target` citing sentences. `aside` is the
    share of sources held out for the learning curve, `most` the facts per case. `kinds` limits the
    kinds of pairs, `categories` the typology categories of court cases (empty for all).
    `identifiers` begin with a key token (``key``) or as the text does (``naive``).
    """

    cases: bool = True
    statutes: bool = True
    facts: str = "sentences"
    most: int = 20
    times: float = 2.0
    per_target: int = PER_TARGET
    aside: float = 0.01
    seed: int = 0
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    identifiers: str = "key"

    def check(self) -> None:
        """Raise UserError for an invalid option."""
        bounds = {"most": (2, 200), "times": (1, 1e6), "per_target": (1, 10**6), "aside": (0, 0.5)}
        for name, (low, high) in bounds.items():
            if not low <= (value := getattr(self, name)) <= high:
                told = {"value": value, "low": f"{low:,}", "high": f"{high:,.10g}"}
                raise UserError("generative_range", Where(field=name), **told)
        chosen = {
            "facts": ((self.facts,), READERS),
            "identifiers": ((self.identifiers,), IDENTIFIERS),
            "kinds": (self.kinds, tuple(PairKind)),
        }
        for name, (values, known) in chosen.items():
            for value in values:
                if value not in known:
                    raise UserError("generative_option", Where(field=name), value=value)
        if not (self.cases or self.statutes):
            raise UserError("generative_nothing_asked")


@dataclass(frozen=True, slots=True)
class Prepared:
    """Summary of preparation: pairs by kind, in all, kept and held out; what was left out."""

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
class _Collected:
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
    """Write the pairs of a project to `folder`, reproducible for equal law, cases and options.

    The graph of the law in use is built if need be. `by` is the requester, None for the operator;
    `progress` is called with (parts done, parts). Raises UserError for `by` without permission
    (extraction by a model is making items), for invalid options, for a project with neither law nor
    court cases, where no model is set for extraction, and where no pair results.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    options.check()
    if options.cases and options.facts == "model":
        allow(ws, project_slug, by, Act.MAKE_ITEMS)
    made = _Collected()
    if options.statutes:
        _add_statutes(ws, project_slug, options, made, progress)
    if options.cases:
        _add_cases(ws, project_slug, options, made, progress)
    if options.kinds:
        made.pairs = [pair for pair in made.pairs if pair.kind in options.kinds]
    if not made.pairs:
        raise UserError("generative_nothing")
    return _write_balanced(folder, options, made)


def _write_balanced(folder: Path, options: PairOptions, collected: _Collected) -> Prepared:
    """Balance the training pairs, set some aside, and write the files."""
    even = balanced(collected.pairs, options.times, options.seed)
    kept, aside = held_out(even, options.aside, options.seed)
    found = Prepared(
        folder,
        counts(collected.pairs),
        counts(kept),
        counts(aside),
        collected.cases,
        collected.left_out,
        dict(sorted(collected.dropped.items())),
        dict(sorted(collected.notes.items())),
        len(collected.texts),
    )
    told = {name: value for name, value in asdict(found).items() if name != "folder"}
    about = {"rule": RULE, "options": asdict(options), **collected.about, **told}
    write_pairs(folder, kept, aside, collected.texts, about)
    return found


def _add_statutes(
    ws: Workspace,
    slug: str,
    options: PairOptions,
    collected: _Collected,
    progress: Progress | None,
) -> None:
    """Add pairs and texts of the law in use, if any, to `collected`; build its graph if need be."""
    with ws.reading() as session:
        project = find_project(session, slug)
        snapshot = snapshot_in_use(session, project.id)
        levels = levels_searched(session, project.id)
    if snapshot is None:
        return
    build_snapshot(ws, snapshot.id)
    with ws.reading() as session:
        units = _units(session, snapshot, levels)
        names = statute_titles(session, snapshot.id)
        edges = load_graph(session, snapshot.id).edges
    titles = {unit.semantic_id: _title(names[unit.statute_id], unit) for unit in units}
    for unit in units:
        collected.texts.append((unit.semantic_id, readable(unit.text)))
        collected.texts.append((unit.semantic_id + _TITLE, titles[unit.semantic_id]))
    told = (f"{unit.heading} {unit.text}" for unit in units)
    keys = KeyTokens.of(told, naive=options.identifiers == "naive")
    found = {}
    for done, unit in enumerate(units, 1):
        found[unit.semantic_id] = identified(unit, keys)
        if progress and (done % 1_000 == 0 or done == len(units)):
            progress(done, len(units))
    seed = options.seed
    pairs = [pair for each in found.values() for pair in paragraph_pairs(each, seed)]
    pairs += per_target(citation_pairs(edges, found, seed), options.per_target, seed)
    by_id = {unit.semantic_id: unit for unit in units}
    collected.pairs += [
        _placed(pair, by_id[pair.target_id], titles[pair.target_id]) for pair in pairs
    ]
    collected.about["law"] = {
        "snapshot": snapshot.content_hash,
        "graph": METHOD,
        "levels": list(map(str, levels)),
        "units": len(units),
    }


_TITLE = "#title"  # suffix of a unit's id: its title, indexed as a separate text


def _title(statute: str, unit: Unit) -> str:
    """Return the title of a unit as training pairs name it."""
    return readable(Document("", statute, unit.label, unit.heading).title)


def _placed(pair: Pair, unit: Unit, title: str) -> Pair:
    """Locate a pair's target in the indexed text of its unit."""
    if pair.target_part == "heading":
        start = title.rfind(unit.heading) if unit.heading else 0
        return pair.placed(pair.target_id + _TITLE, title, max(start, 0))
    start = next((part.start for part in unit.parts if part.path == pair.target_part), 0)
    return pair.placed(pair.target_id, readable(unit.text), start)


def _units(session: Session, snapshot: SnapshotView, levels: Levels) -> list[Unit]:
    """Return the units of a snapshot at these levels that have text."""
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
    collected: _Collected,
    progress: Progress | None,
) -> None:
    """Add the pairs and texts of court cases, except benchmark queries, to `collected`."""
    with ws.reading() as session:
        project = find_project(session, slug).id
        asking = _query_cases(session, project)
        every = _cases(session, project, options.categories)
        whole = texts(session, project, (line.id for line in listed(session, project)))
        names = {line.external_id: line.id for line in listed(session, project)}
        known = text_hash(repr(hashes(session, project)))
    cases = [case for case in every if case.id not in asking]
    collected.left_out = len(every) - len(cases)
    collected.cases = len(cases)
    if not cases:
        return
    keys = KeyTokens.of((each.facts for each in cases), naive=options.identifiers == "naive")
    judgments = {case.id: readable(whole[names[case.id]]) for case in cases}
    ask = ProjectAsker(ws, slug) if options.facts == "model" else None
    reader = "sentences" if ask is None else ask.identity((PROMPT,))
    for start in range(0, len(cases), _CASES_AT_ONCE):
        some = cases[start : start + _CASES_AT_ONCE]
        found = facts_of(some, keys, ask, options.most)
        collected.dropped.update(found.dropped)
        collected.notes.update(found.notes)
        for case in some:
            text = judgments[case.id]
            place = max(text.find(case.facts.split("\n")[0]), 0)
            facts = found.facts[case.id]
            if ask is not None:
                facts = grounded(facts, case.facts, keys)
                collected.dropped["not_in_text"] += len(found.facts[case.id]) - len(facts)
            pairs = case_pairs(case.id, case.facts, facts, options.seed)
            collected.pairs += [pair.placed(f"case:{case.id}", text, place) for pair in pairs]
        if progress:
            progress(start + len(some), len(cases))
    collected.texts += [(f"case:{case.id}", judgments[case.id]) for case in cases]
    collected.about["court_cases"] = {
        "content": known,
        "reader": reader,
        "queries_left_out": sorted(asking),
    }


def _query_cases(session: Session, project_id: int) -> set[str]:
    """Return external ids of court cases that are benchmark queries by the default drawing."""
    try:
        found = benchmark(session, project_id, Drawing())
    except UserError as error:
        if error.code != "case_benchmark_empty":
            raise
        return set()
    return {query.case for each in found.sets.values() for query in each.queries}


def _cases(session: Session, project_id: int, categories: tuple[str, ...] = ()) -> list[CaseText]:
    """Return the cases of the categories, by default of all.

    Raises UserError for an unknown category.
    """
    lines = listed(session, project_id)
    if categories:
        _, typology = TYPOLOGY.current(session, project_id)
        known = [each.key for each in typology.categories]
        for name in categories:
            require_known("generative_category", known, Where(field="category"), name=name)
        groups = {g.key for c, _, g in typology.groups() if c.key in categories}
        placed = mapped(session, project_id)
        lines = [line for line in lines if groups & set(placed[line.id].groups)]
    said = texts(session, project_id, (line.id for line in lines))
    return [
        CaseText(line.external_id, query_text(line, said[line.id]), line.language) for line in lines
    ]
