"""Datasheet of an exported question benchmark, generated from the data.

How the candidates behind the decisions were proposed, and how much of the gold they cover.

A unit that is never proposed is accepted only where somebody searches for it, so gold favours
methods like the proposing ones: readers of a benchmark need to know these, their depth and their
share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from sqlmodel import Session

from annotation.agreement.overview import figures
from annotation.agreement.report import totals
from annotation.closure.gold_sets import decisions_in
from annotation.gold.derivation import Evidence, GoldItem
from annotation.gold.lineage import CURATED, DECIDED, SUBMITTED, LineageEntry
from annotation.people.members import PersonView
from annotation.work.discussions import independent
from annotation.work.submissions import Origin
from annotation.work.versioned_texts import DATASHEET_ANSWERS
from construction.gold.splitting import LeftOut, Way
from evaluation.figure import Figure, share_figure
from normalization.grouping import grouped
from services.gold.gold_set import GoldSet
from services.gold.leakage import leakage_of
from services.gold.search_coverage import NotSearched
from services.gold.splits import SplitState
from storage.db.workspace import Workspace
from storage.export.beir import snapshot_as_dict
from storage.export.datasheet import Datasheet, count_values
from storage.imported_files import label_sources
from storage.law.corpus import SnapshotView
from storage.law.passages import Levels
from storage.mapping import sources_of_sets
from storage.projects import ProjectView
from storage.tasks import Task

SOURCES = ("citation", "title", "text", "source", "pool")


AGREEMENT = "agreement over all complete questions"
_WAYS = {
    Way.STATUTE: "no statute that is gold in two parts",
    Way.DATE: "the oldest questions train, the newest test",
    Way.NEAR: "near-duplicates in one part",
}
_IN_NONE = {
    LeftOut.NO_DATE: "no date",
    LeftOut.SPANS: "gold in the statutes, or near-duplicates, of two parts",
    LeftOut.LATER: "settled after it was divided",
}
_CLOSURE = {"added": "sent back or added", "dismissed": "dismissed with a reason"}


@dataclass(frozen=True, slots=True)
class Sheet:
    """Datasheet entries given by the exporter: licence, and whether to name people who agreed."""

    licence: str = ""
    names: bool = False


@dataclass(frozen=True, slots=True)
class SearchedGold:
    """The corpus of an export: `units` of `levels`, and the gold `outside` it.

    `units_without_text` of them have only a heading; `without_text` is the gold among these.
    `rejected` counts judged pairs that are not relevant. `jurisdictions` and `asked` count units
    and settled questions by jurisdiction; both are empty where none is stated.
    """

    levels: Levels
    units: int
    outside: NotSearched
    without_text: NotSearched = field(default_factory=NotSearched)
    units_without_text: int = 0
    rejected: int = 0
    jurisdictions: Mapping[str, int] = field(default_factory=dict)
    asked: Mapping[str, int] = field(default_factory=dict)


def shown_names(people: Iterable[PersonView], named_ids: Collection[int]) -> dict[str, str]:
    """Return name → name to publish: a pseudonym, such as ``annotator 2``, or their own.

    They are numbered in order of joining. Those in `named_ids` keep their names.
    """
    seen: Counter[str] = Counter()
    found: dict[str, str] = {}
    for person in people:
        seen[person.role] += 1
        own = person.id in named_ids
        found[person.name] = person.name if own else f"{person.role} {seen[person.role]}"
    return found


def under_pseudonyms(gold: GoldSet, names: Mapping[str, str]) -> GoldSet:
    """Replace people's names in the gold's lineage, also where comments and reasons name them."""
    hidden = {name: shown for name, shown in names.items() if name != shown}
    if not hidden:
        return gold
    # The longest first; a particle may follow, a letter before would make it another word.
    known = (name for name in hidden if sum(map(str.isalpha, name)) > 1)  # else not told apart
    by_length = sorted(known, key=lambda name: (-len(name), name))
    within = "|".join(re.escape(name) + _END[name[-1].isascii()] for name in by_length)
    in_text = re.compile(rf"(?<!\w)(?:{within})") if by_length else None

    def replaced(text: str) -> str:
        """Replace names within a text by pseudonyms."""
        return in_text.sub(lambda found: hidden[found[0]], text) if in_text else text

    def entry_of(entry: LineageEntry) -> LineageEntry:
        """Return an entry of the lineage under pseudonyms."""
        own = entry.person not in hidden
        origin = entry.imported if own or entry.imported is None else entry.imported.without_names()
        return replace(
            entry,
            person=names[entry.person],
            imported=origin,
            comment=replaced(entry.comment),
            flag=replaced(entry.flag),
            reason=replaced(entry.reason),
        )

    def item_of(item: GoldItem) -> GoldItem:
        """Return an item of gold under pseudonyms."""
        of = item.inherited
        if of is not None and of.person is not None:
            of = replace(of, person=names[of.person])
        return replace(item, lineage=tuple(map(entry_of, item.lineage)), inherited=of)

    return replace(gold, items=tuple(map(item_of, gold.items)))


_END = {True: r"(?!\w)", False: ""}  # behind a name in Latin letters, and in others


def gold_datasheet(
    ws: Workspace,
    session: Session,
    project: ProjectView,
    gold: GoldSet,
    snapshot: SnapshotView,
    corpus: SearchedGold,
    sheet: Sheet,
    split: SplitState | None,
    evidence: Evidence,
    people: Sequence[PersonView],
    names: Mapping[str, str],
) -> Datasheet:
    """Return the datasheet of an export from the data and people's answers.

    `split` is how the gold is divided, `names` what stands for each name in the gold. The same
    database gives the same datasheet.
    """
    # What is inherited was decided once: on the question that it is inherited from.
    decided = [item for item in gold.items if item.inherited is None]
    entries = [entry for item in decided for entry in item.lineage]
    form, answers = DATASHEET_ANSWERS.current(session, project.id)
    return Datasheet(
        title=project.title,
        purpose="to measure how well a method retrieves the provisions that answer a question",
        licence=sheet.licence,
        composition=_composition(gold, snapshot, corpus) | _split_section(ws, project, split),
        collection=_collection(people, entries, names)
        | _candidate_sources(session, decided)
        | _label_sources(session, project.id),
        labelling=_labelling(ws, session, project, decided, entries, evidence),
        maintenance={"generated by": "touchstone.py export gold", "gold hash": gold.hash},
        answers=answers,
        form=form,
    )


def _composition(gold: GoldSet, snapshot: SnapshotView, corpus: SearchedGold) -> dict[str, Any]:
    """Describe the questions and gold of the data set."""
    outside, headed = corpus.outside, corpus.without_text
    written = sum(
        item.inherited is None and any(entry.kind == CURATED for entry in item.lineage)
        for item in gold.items
    )
    made = [item for item in gold.items if item.inherited is not None]
    inherited = {
        "questions made of options of others, which inherit their gold": len(made),
        "question-unit pairs that are inherited, not all of which need bear on the option": sum(
            len(item.units) for item in made
        ),
    }
    return {
        "questions": len(gold.items),
        "questions without provision": sum(item.no_provision for item in gold.items),
        "questions left out as not settled": gold.left_out,
        "of them settled on provisions amended since, not confirmed": len(gold.amended),
        "of them settled as no provision, waiting for candidates of this law": len(gold.waiting),
        "question-unit pairs": sum(len(item.units) for item in gold.items),
        "question-unit pairs that all who decided rejected": corpus.rejected,
        "units of the retrieval corpus": corpus.units,
        "units named without their text, which their heading alone can find": (
            corpus.units_without_text
        ),
        "levels of the retrieval corpus": ", ".join(corpus.levels),
        "question-unit pairs whose unit is not in it, which count as missed": outside.pairs,
        "questions with such a pair": len(outside.questions),
        "questions with such pairs alone": len(outside.wholly),
        "units not in it, by level or reason": outside.reasons or "none",
        "question-unit pairs whose unit has no text": headed.pairs,
        "questions with a pair without text": len(headed.questions),
        "questions with pairs without text alone": len(headed.wholly),
        "snapshot of the law": snapshot_as_dict(snapshot),
        **_jurisdictions(corpus),
        **(inherited if made else {}),
        **({"questions that a model wrote and people curated": written} if written else {}),
    }


def _label_sources(session: Session, project_id: int) -> dict[str, Any]:
    """Return the origin of imported labels; {} where there are none."""
    found = [
        {"source": each.name, "sha256": each.sha256, "questions": each.questions}
        | {"brought in": each.at.isoformat()}
        for each in label_sources(session, project_id)
    ]
    return {"labels that came with the questions, nobody's decision here": found} if found else {}


def _candidate_sources(session: Session, decided: Sequence[GoldItem]) -> dict[str, Any]:
    """Return how candidates were proposed, and the share of gold found by each source.

    A pair counts for each of its sources: named by a citation, found by title, by text, labelled by
    the source of the question, or in the pool of a blind audit. Empty where none was mapped.
    """
    mapped = [item for item in decided if all(each.kind != CURATED for each in item.lineage)]
    if not mapped:
        return {}
    shown = [sorted({each.candidate_set_id for each in item.lineage}) for item in mapped]
    made = sources_of_sets(session, {number for numbers in shown for number in numbers})
    methods, depths, found = Counter[str](), list[int](), list[set[str]]()
    for item, numbers in zip(mapped, shown, strict=True):
        methods[" + ".join(sorted({made[each][0] for each in numbers}))] += 1
        candidates: dict[str, set[str]] = {}
        for unit, sources in (pair for each in numbers for pair in made[each][1]):
            candidates.setdefault(unit, set()).update(sources)
        depths.append(len(candidates))
        found += [candidates[unit] for unit in item.units if unit in candidates]
    pairs = sum(len(item.units) for item in mapped)
    by_source = Counter(source for sources in found for source in sources)
    named = [each for each in SOURCES if by_source[each] or each not in ("source", "pool")]
    counts = {
        "among the candidates": len(found),
        **{f"proposed by {source}": by_source[source] for source in named},
        "added by people who searched": pairs - len(found),
    }
    return {
        "candidates proposed by, with questions": dict(sorted(methods.items())),
        "candidates per question": (
            f"median {median(depths):g}, from {min(depths)} to {max(depths)}"
        ),
        "gold pairs, by whether and how they were proposed": {
            name: _figure(share_figure(name, n, pairs)) for name, n in counts.items()
        },
    }


def _jurisdictions(corpus: SearchedGold) -> dict[str, Any]:
    """Count units, and questions, per jurisdiction; {} where none is stated."""
    if not (corpus.jurisdictions or corpus.asked):
        return {}
    said = {
        "units of the retrieval corpus by jurisdiction": corpus.jurisdictions,
        "questions by jurisdiction": corpus.asked,
    }
    return {
        name: {each or "not said": count for each, count in sorted(counts.items())}
        for name, counts in said.items()
    }


def _split_section(ws: Workspace, project: ProjectView, split: SplitState | None) -> dict[str, Any]:
    """Return the split and the leakage between its parts; empty without a split."""
    if split is None:
        return {}
    view, recipe = split.view, split.view.recipe
    shares = "/".join(map(str, recipe.shares))
    column = f" in the column {recipe.column}" if recipe.column else ""
    divided = "" if recipe.gold == "people" else f", of the gold set {recipe.gold}"
    found = leakage_of(ws, project.id, split)
    near = f"pairs of questions nearly the same (likeness {found.above:g} or more), between parts"
    return {
        "split": f"version {view.number}, {_WAYS[recipe.way]}{column}, {shares} per cent, "
        f"seed {recipe.seed}{divided}",
        "questions by part": {line.part: line.questions for line in split.lines},
        "questions in no part": count_values(_IN_NONE[each] for each in split.left_out.values())
        or "none",
        near: {f"{each.one} and {each.other}": each.near for each in found.between},
        "statutes that are gold in both parts": {
            f"{each.one} and {each.other}": each.statutes for each in found.between
        },
    }


def _collection(
    known: Sequence[PersonView], entries: Sequence[LineageEntry], names: Mapping[str, str]
) -> dict[str, Any]:
    """Describe who decided, how much and when."""
    by = Counter(entry.person for entry in entries)
    people = [
        {"person": names[each.name], "role": each.role, "decisions": by[names[each.name]]}
        for each in known
        if by[names[each.name]]
    ]
    times = sorted(entry.at for entry in entries)
    hidden = sum(name != shown for name, shown in names.items())
    named_by = "pseudonym" if hidden else "name"
    if 0 < hidden < len(names):
        named_by = "name where they agreed, else pseudonym"
    return {
        "people named by": named_by,
        "people": people,
        "roles": count_values(each["role"] for each in people),
        "first decision": times[0].isoformat() if times else None,
        "last decision": times[-1].isoformat() if times else None,
        "guideline versions": count_values(entry.guideline_version for entry in entries),
        "codebook versions": count_values(entry.codebook_version for entry in entries),
        **_imported_decisions(entries),
    }


def _imported_decisions(entries: Sequence[LineageEntry]) -> dict[str, Any]:
    """List decisions imported from other tools, by file; empty without any."""
    imported = ((entry.imported, entry) for entry in entries if entry.imported is not None)
    files = grouped(((of.tool, of.file, of.sha256), (of, entry)) for of, entry in imported)
    made = [_imported_file(*key, files[key]) for key in sorted(files)]
    return {"decisions made in other tools": made} if made else {}


def _imported_file(
    tool: str, name: str, sha256: str, entries: Sequence[tuple[Origin, LineageEntry]]
) -> dict[str, Any]:
    """Return the facts about labels that one file brought."""
    times = sorted(origin.made_at for origin, _ in entries if origin.made_at is not None)
    users = sorted({origin.user for origin, _ in entries if origin.user})
    return {
        "tool": tool,
        **({"file": name} if name else {}),
        "sha256": sha256,
        "submissions": len(entries),
        "people": ", ".join(sorted({entry.person for _, entry in entries})),
        **({"users of the tool": ", ".join(users)} if users else {}),
        "first made": times[0].isoformat() if times else None,
        "last made": times[-1].isoformat() if times else None,
        "brought in": min(entry.at for _, entry in entries).isoformat(),
    }


def _labelling(
    ws: Workspace,
    session: Session,
    project: ProjectView,
    decided: Sequence[GoldItem],
    entries: Sequence[LineageEntry],
    evidence: Evidence,
) -> dict[str, Any]:
    """Describe how the gold was labelled: outcomes, agreement, adjudication."""
    outcomes = Counter(item.outcome for item in decided)
    share = share_figure("adjudicated", outcomes["adjudicated"], len(decided))
    curated = [item for item in decided if any(e.kind == CURATED for e in item.lineage)]
    alike = {}
    if len(curated) < len(decided) or not decided:
        complete = independent(session, project.id, evidence.submitted, evidence.talks).values()
        found = figures([[each.answer for each in item] for item in complete])
        alike = {AGREEMENT: {each.name: _figure(each) for each in found}}
    submitted = [entry for entry in entries if entry.kind in SUBMITTED]
    seconds = [entry.seconds for entry in submitted if entry.seconds is not None]
    untimed = len(submitted) - len(seconds)
    stood_in = sum(
        any(each.kind in DECIDED and each.role == "administrator" for each in item.lineage)
        for item in decided
    )
    return {
        "submissions per question": count_values(
            sum(entry.kind in SUBMITTED for entry in item.lineage) for item in decided
        ),
        "outcomes": count_values(item.outcome for item in decided),
        "adjudicated share": _figure(share),
        "adjudicated by somebody who had labelled the question": sum(
            any(entry.conflict for entry in item.lineage) for item in decided
        ),
        **(
            {"adjudicated by an administrator, for want of an adjudicator": stood_in}
            if stood_in
            else {}
        ),
        **alike,
        **_curation_agreement(ws, project.slug, curated),
        **_closure_outcomes(session, project.id),
        "median seconds per submission": round(median(seconds), 3) if seconds else None,
        **({"submissions whose seconds nobody measured": untimed} if untimed else {}),
    }


def _curation_agreement(
    ws: Workspace, project_slug: str, curated: Sequence[GoldItem]
) -> dict[str, Any]:
    """Return the curators' agreement per criterion, by the most suitable statistic; {} if none."""
    if not curated:
        return {}
    rows = [row for each in totals(ws, project_slug, task=Task.CURATION) for row in each.rows]
    first = {name: row for row in reversed(rows) for name in row.names[:1]}
    named = {
        f"{field} ({first[field].finding.figure.name})": _figure(first[field].finding.figure)
        for field in dict.fromkeys(row.names[0] for row in rows)
    }
    return {"agreement of curators over all complete questions": named} if named else {}


def _closure_outcomes(session: Session, project_id: int) -> dict[str, Any]:
    """Count decisions on provisions proposed by closure rules, by outcome; {} if none."""
    said = decisions_in(session, project_id).values()
    verdicts = (each.verdict for by_unit in said for each in by_unit.values())
    stands = [_CLOSURE[each] for each in verdicts if each in _CLOSURE]
    words = "provisions proposed by rules of closure, by what became of them"
    return {words: count_values(stands)} if stands else {}


def _figure(figure: Figure) -> dict[str, Any]:
    """Return a figure as JSON values: value, interval, n."""
    exact = (figure.value, figure.low, figure.high)
    value, *interval = (None if each is None else round(each, 6) for each in exact)
    between = None if figure.low is None else interval
    return {"value": value, "95 % interval": between, "n": figure.n}
