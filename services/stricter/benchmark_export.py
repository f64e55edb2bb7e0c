"""Export of both court case benchmarks, with the origin of every judgement.

The folder is one BEIR data set with two splits: ``qrels/standard.tsv`` and ``qrels/stricter.tsv``
over one ``corpus.jsonl`` and one ``queries.jsonl``; beside each the same for trec_eval, and for
nDCG the stricter judgements with both grades. A query's own
case is in the corpus and no target: scorers remove it from rankings. ``groups.jsonl`` lists the
groups, ``lineage.jsonl`` gives for each judgement the typology rule and the submissions behind it,
``tags.jsonl`` the tags. The same database gives the same bytes.

README of the export: which judgements give which measure with trec_eval.

trec_eval counts a document of relevance 1 or more as relevant unless ``-l`` says otherwise, and
BEIR and ir_measures do the same. A target of the stricter benchmark has grade 2. So the judgements
are written twice: targets only, with relevance 1, for all binary measures; and with both grades as
gains, for nDCG only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlmodel import Session

from annotation.people.roles import Act, allow
from annotation.tagging.codebook import book_of
from annotation.tagging.tags import TaggedCase, tagged
from annotation.work.versioned_texts import DATASHEET_ANSWERS
from construction.stricter.benchmark import STRICTER_GRADE, BenchmarkKind, CaseSet
from evaluation.ranking.scoring import GRADED, Measure
from services.law.watch import unconfirmed
from services.stricter.group_detail import key_of
from services.stricter.groups import Benchmark, Drawing, GroupFound, benchmark, query_text
from storage.cases import CaseLine, texts
from storage.db.atomic_files import published
from storage.db.workspace import Workspace
from storage.export import beir, trec
from storage.export.datasheet import (
    CHECKSUMS,
    Datasheet,
    count_values,
    write_checksums,
    write_datasheet,
)
from storage.export.datasheet import FILES as DATASHEET
from storage.projects import ProjectView, find_project
from storage.tasks import Task

README = "README.md"
GRADED_SUFFIX = "_graded"
ENDINGS = ("trec", "tsv")

BINARY_RULE = (
    "qrels/stricter holds the targets alone, with relevance 1: plain trec_eval for P, Recall, AP, "
    "RR and success"
)
GRADED_RULE = (
    "qrels/stricter_graded holds grades 2 and 1: plain trec_eval for nDCG, and -l 2 for every "
    "other measure"
)

_SEVERAL = """\
* Here a group asks with up to {count} queries. Touchstone counts a group once, with the mean of its
  queries (the id of a query is `<group>/<case>`); trec_eval's `all` is the mean over queries.
  Average what `-q` prints by group.
"""
_OF_MODEL = """
**The stricter groups come from the tags of the model {model}.** No person decided them.
"""


def qrels_of(kind: BenchmarkKind, measure: Measure) -> Path:
    """Return the exported qrels file that gives `measure` with plain trec_eval."""
    graded = kind == BenchmarkKind.STRICTER and measure.name in GRADED
    return Path("qrels") / f"{kind}{GRADED_SUFFIX if graded else ''}.trec"


_QRELS = [  # exported paths
    f"qrels/{kind}{suffix}.{ending}"
    for kind in BenchmarkKind
    for suffix in (("", GRADED_SUFFIX) if kind.least > 1 else ("",))
    for ending in ENDINGS
]


def write_judgements(folder: Path, case_set: CaseSet) -> None:
    """Write a benchmark's qrels: targets with relevance 1, and graded ones if it has grades.

    Every query of a benchmark has a target, so both files have the same queries.
    """
    least = case_set.kind.least
    targets = {
        query: {case: 1 for case, grade in cases.items() if grade >= least}
        for query, cases in case_set.qrels.items()
    }
    files: dict[str, beir.Qrels] = {str(case_set.kind): targets}
    if least == STRICTER_GRADE:
        files[f"{case_set.kind}{GRADED_SUFFIX}"] = case_set.qrels
    for name, qrels in files.items():
        beir.write_qrels(folder / f"qrels/{name}.tsv", qrels)
        trec.write_qrels(folder / f"qrels/{name}.trec", qrels)


def write_readme(folder: Path, per_group: int, model: str) -> None:
    """Write the README on scoring elsewhere; `per_group` is the maximum of queries per group.

    `model` is the model whose tags form the stricter groups; "" for people's.
    """
    text = Path(__file__).with_name(f"export_{README.lower()}").read_text("utf-8")
    text += _SEVERAL.format(count=per_group) if per_group > 1 else ""
    text += _OF_MODEL.format(model=model) if model else ""
    (folder / README).write_text(text, "utf-8", newline="\n")


def case_datasheet(
    title: str,
    benchmark: Benchmark,
    tagged: Mapping[int, TaggedCase],
    licence: str,
    law: Mapping[str, int],
    form: tuple[int, Mapping[str, str]],
) -> Datasheet:
    """Return the datasheet of an export; `law` holds its counts on amended law.

    `form` is the number and the answers of the datasheet form.
    """
    return Datasheet(
        title=title,
        purpose="to measure how well a method finds the court cases that are like a case, "
        "by charge and provision and by the factors that lawyers tagged",
        licence=licence,
        composition=_composition(benchmark) | dict(law),
        collection=_collection(benchmark, tagged),
        labelling=_labelling(benchmark, tagged),
        maintenance={
            "generated by": "touchstone.py stricter export",
            "queries per group": benchmark.drawing.per_group,
            "seed of the queries that nobody chose": benchmark.drawing.seed,
        },
        uses={
            "to be heeded": "a query's own case stands in the corpus and is no target",
            "scoring with trec_eval": {"binary": BINARY_RULE, "graded": GRADED_RULE},
        },
        answers=form[1],
        form=form[0],
    )


def _composition(benchmark: Benchmark) -> dict[str, Any]:
    """Count the groups, cases, queries and relevance judgements of both benchmarks."""
    groups = benchmark.stricter.groups
    mapped = {case for group in groups for case in group.cases}
    standard, stricter = (benchmark.sets[kind] for kind in BenchmarkKind)
    grades = Counter(grade for units in stricter.qrels.values() for grade in units.values())
    return {
        "court cases of the corpus": len(benchmark.cases),
        "of them in a standard group": len(mapped),
        "languages": _counts_or_none(case.language for case in benchmark.cases),
        "standard groups with cases": len(groups),
        "standard queries": len(standard.queries),
        "standard query-case pairs": sum(map(len, standard.qrels.values())),
        "stricter groups formed": sum(bool(group.groups) for group in groups),
        "stricter queries": len(stricter.queries),
        "stricter pairs of grade 2": grades[STRICTER_GRADE],
        "stricter pairs of grade 1": grades.total() - grades[STRICTER_GRADE],
        "queries chosen by a person": sum(query.chosen for query in standard.queries),
    }


def _collection(benchmark: Benchmark, tagged: Mapping[int, TaggedCase]) -> dict[str, Any]:
    """Describe who tagged the cases, and when."""
    submissions = [each for case in tagged.values() for each in case.said]
    times = sorted(submission.at for submission in submissions)
    return {
        "cases tagged": len(tagged),
        "people who tagged": len({submission.person_id for submission in submissions}),
        "first submission": times[0].isoformat() if times else None,
        "last submission": times[-1].isoformat() if times else None,
        "typology version": benchmark.stricter.typology_version,
        "codebook version": benchmark.stricter.codebook_version,
    }


def _labelling(benchmark: Benchmark, tagged: Mapping[int, TaggedCase]) -> dict[str, Any]:
    """Describe how the grades follow from tags."""
    tags = [tag for case in tagged.values() for tag in case.state.tags.values()]
    out = {case for group in benchmark.stricter.groups for case in group.table.gaps}
    model = benchmark.stricter.model
    of_model = {
        "stricter groups come from": f"the tags of the model {model}; no person decided them",
        "cases tagged by the model": len(benchmark.stricter.tagged),
    }
    return {
        "rule of grade 1": "the same standard group, by charge title and provisions",
        "rule of grade 2": "the same leading answers, as many as any two cases of the standard "
        "group share; of several such groups the largest, then that with the earliest case",
        "submissions per case": _counts_or_none(len(case.said) for case in tagged.values()),
        "tags": len(tags),
        "tags by how they came": _counts_or_none(str(tag.how) for tag in tags),
        "sub-factors still disputed": sum(len(case.state.disputed) for case in tagged.values()),
        "cases left out of stricter groups as not completely tagged": len(out),
        **(of_model if model else {}),
    }


def _counts_or_none(values: Iterable[Any]) -> dict[str, int] | str:
    """Return how often each value occurs; "none" without any."""
    return count_values(values) or "none"


FILES = (
    *(README, CHECKSUMS, "corpus.jsonl", *DATASHEET, "groups.jsonl", "lineage.jsonl"),
    *(*_QRELS, "queries.jsonl", "tags.jsonl"),
)
_TOGETHER = 200  # texts read per batch


@dataclass(frozen=True, slots=True)
class CaseExport:
    """Summary of an export: counts by benchmark; `files` are paths below `folder`."""

    folder: str
    corpus: int
    queries: Mapping[str, int]
    pairs: Mapping[str, int]
    targets: int
    files: tuple[str, ...] = FILES


def export_benchmark(
    ws: Workspace,
    project_slug: str,
    folder: Path,
    drawing: Drawing = Drawing(),  # noqa: B008 (frozen)
    licence: str = "",
    by: int | None = None,
) -> CaseExport:
    """Write both benchmarks into `folder`; on any failure it is unchanged.

    `licence` is stated in the datasheet. `by` is the exporter, None for the operator. Raises
    UserError for `by` without permission, where no standard group has two cases, and for a folder
    that cannot be written.
    """
    allow(ws, project_slug, by, Act.EXPORT_GOLD)
    law = unconfirmed(ws, project_slug, (Task.FACTOR_TAGGING,))
    with ws.reading() as session, published(folder) as part:
        project = find_project(session, project_slug)
        found = benchmark(session, project.id, drawing)
        said: dict[int, TaggedCase] = {}
        if not drawing.model:
            book, _ = book_of(session, project.id)
            said = {each.court_case_id: each for each in tagged(session, project.id, book)}
        _write(part, session, project, found, said)
        write_readme(part, drawing.per_group, drawing.model)
        form = DATASHEET_ANSWERS.current(session, project.id)
        write_datasheet(part, case_datasheet(project.title, found, said, licence, law, form))
        write_checksums(part)
    pairs = {str(kind): sum(map(len, each.qrels.values())) for kind, each in found.sets.items()}
    stricter = found.sets[BenchmarkKind.STRICTER].qrels.values()
    return CaseExport(
        folder=str(folder),
        corpus=len(found.cases),
        queries={str(kind): len(each.queries) for kind, each in found.sets.items()},
        pairs=pairs,
        targets=sum(grade == STRICTER_GRADE for each in stricter for grade in each.values()),
    )


def _write(
    folder: Path,
    session: Session,
    project: ProjectView,
    benchmark: Benchmark,
    tagged: Mapping[int, TaggedCase],
) -> None:
    """Write corpus, queries, relevance judgements, groups, lineage and tags."""
    beir.write_lines(folder / "corpus.jsonl", _corpus(session, project.id, benchmark.cases))
    beir.write_lines(folder / "queries.jsonl", _queries(session, project.id, benchmark))
    for each in benchmark.sets.values():
        write_judgements(folder, each)
    beir.write_lines(
        folder / "groups.jsonl",
        (_group_json(benchmark, group) for group in benchmark.stricter.groups),
    )
    beir.write_lines(folder / "lineage.jsonl", _lineage(benchmark, tagged))
    own = map(_tags_json, tagged.values())
    tags = _tags_of_model(benchmark) if benchmark.stricter.model else own
    beir.write_lines(folder / "tags.jsonl", tags)


def _corpus(session: Session, project_id: int, cases: Sequence[CaseLine]) -> Iterator[Any]:
    """Yield the cases as documents."""
    for start in range(0, len(cases), _TOGETHER):
        some = cases[start : start + _TOGETHER]
        said = texts(session, project_id, (case.id for case in some))
        for case in some:
            names = ("court", "date", "charges", "provisions", "language")
            yield {
                "_id": case.external_id,
                "title": case.title,
                "text": said[case.id],
                "metadata": {name: getattr(case, name) for name in names},
            }


def _queries(session: Session, project_id: int, benchmark: Benchmark) -> Iterator[Any]:
    """Yield the queries of both benchmarks by id, with their text and metadata."""
    by_name = {case.external_id: case for case in benchmark.cases}
    asked = {query.id: query for each in benchmark.sets.values() for query in each.queries}
    said = texts(session, project_id, {by_name[query.case].id for query in asked.values()})
    for number, query in sorted(asked.items()):
        case = by_name[query.case]
        yield {
            "_id": number,
            "text": query_text(case, said[case.id]),
            "metadata": {
                "case_id": query.case,
                "group": query.group,
                "category": query.category,
                "benchmarks": [
                    str(k) for k, each in benchmark.sets.items() if number in each.qrels
                ],
                "chosen": query.chosen,
                "language": case.language,
            },
        }


def _group_json(benchmark: Benchmark, each: GroupFound) -> dict[str, Any]:
    """Return a standard group with its stricter groups, as `groups.jsonl` holds it."""
    place, model = each.place, benchmark.stricter.model

    def names(cases: Iterable[int]) -> list[str]:
        """Return the external ids of cases."""
        return [benchmark.stricter.cases[case].external_id for case in cases]

    return {
        "group": each.key,
        "category": place.category.key,
        "label": dict(place.group.label),
        "titles": list(place.charge.titles),
        "provisions": list(place.group.provisions),
        "cases": names(each.cases),
        "sub_factors": list(each.table.columns),
        "depth": each.found.depth,
        **({"tags_of_model": model} if model else {}),
        "stricter_groups": [
            {"cases": names(cases), "alike": key_of(each, number)}
            for number, cases in enumerate(each.groups)
        ],
        "untagged": names(each.untagged),
        "incomplete": dict(zip(names(each.table.gaps), each.table.gaps.values(), strict=True)),
    }


def _lineage(benchmark: Benchmark, tagged: Mapping[int, TaggedCase]) -> Iterator[dict[str, Any]]:
    """Yield the typology rule and the submissions behind each relevance judgement."""
    by_name = {case.external_id: case for case in benchmark.cases}
    depths = {group.key: group.found.depth for group in benchmark.stricter.groups}
    model, mapped = benchmark.stricter.model, benchmark.stricter.mapped
    for kind, each in benchmark.sets.items():
        for query in sorted(each.queries, key=lambda query: query.id):
            for case, grade in each.qrels[query.id].items():
                pair = by_name[query.case].id, by_name[case].id
                line: dict[str, Any] = {
                    "benchmark": str(kind),
                    "query_id": query.id,
                    "case_id": case,
                    "relevance": grade,
                    "typology": benchmark.stricter.typology,
                    "rules": [
                        [asdict(why) for why in mapped[number].why if why.group == query.group]
                        for number in pair
                    ],
                    **dict.fromkeys(("alike", "codebook", "decisions")),
                }
                if grade == STRICTER_GRADE:  # by tags
                    line["alike"] = depths[query.group]
                    line["codebook"] = benchmark.stricter.codebook_version
                    if model:
                        line["tags_of_model"] = model
                    else:
                        line["decisions"] = [_decisions_json(tagged[number]) for number in pair]
                yield line


def _decisions_json(case: TaggedCase) -> dict[str, Any]:
    """Return the item, submissions and adjudication behind a case's tags."""
    return {
        "item": case.item_id,
        "annotations": [each.annotation_id for each in case.said],
        "settlement": case.settled.settlement_id if case.settled else None,
    }


def _tags_json(case: TaggedCase) -> dict[str, Any]:
    """Return a case's tags with evidence, as `tags.jsonl` holds them."""
    return {
        "case_id": case.external_id,
        **_decisions_json(case),
        "groups": list(case.groups),
        "tags": {
            key: {
                "options": list(tag.options),
                "how": str(tag.how),
                "evidence": [[e.option, e.start, e.end] for e in tag.evidence],
            }
            for key, tag in sorted(case.state.tags.items())
        },
        "disputed": sorted(case.state.disputed),
        "stale": sorted(case.state.stale),
    }


def _tags_of_model(benchmark: Benchmark) -> Iterator[dict[str, Any]]:
    """Yield a model's tags per case, which are nobody's decision."""
    for case, said in benchmark.stricter.tagged.items():
        yield {
            "case_id": benchmark.stricter.cases[case].external_id,
            "model": benchmark.stricter.model,
            "tags": {key: {"options": list(given)} for key, given in sorted(said.answers.items())},
            "stale": sorted(said.stale),
        }
