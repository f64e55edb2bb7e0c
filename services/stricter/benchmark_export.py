"""Export both benchmarks of court cases, with where every judgement comes from.

The folder is one BEIR data set with two splits: ``qrels/standard.tsv`` and ``qrels/stricter.tsv``
over one ``corpus.jsonl`` and one ``queries.jsonl``; beside each the same for trec_eval. A query's
own case stands in the corpus and is no target: whoever scores takes it out of the rankings.
``groups.jsonl`` says what the groups are, ``lineage.jsonl`` for each judgement by which rule of the
typology and by which submissions it holds, ``tags.jsonl`` what was tagged. The same database gives
the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlmodel import Session

from annotation.people.roles import Act, allow
from annotation.tagging.codebook import book_of
from annotation.tagging.tags import TaggedCase, tagged
from construction.stricter.benchmark import STRICTER_GRADE, BenchmarkKind
from services.stricter.benchmark import Benchmark, Drawing, benchmark, query_text
from services.stricter.datasheet import case_datasheet
from services.stricter.group_detail import key_of
from services.stricter.groups import GroupFound
from storage.cases.court_cases import CaseLine, texts
from storage.db.atomic_files import published
from storage.db.workspace import Workspace
from storage.export import beir, trec
from storage.export.datasheet import FILES as DATASHEET
from storage.export.datasheet import write_datasheet
from storage.projects import ProjectView, find_project

CHECKSUMS = "SHA256SUMS"
FILES = (
    *(CHECKSUMS, "corpus.jsonl", *DATASHEET, "groups.jsonl"),
    *("lineage.jsonl", "qrels/standard.trec", "qrels/standard.tsv", "qrels/stricter.trec"),
    *("qrels/stricter.tsv", "queries.jsonl", "tags.jsonl"),
)
_TOGETHER = 200  # texts read at once


@dataclass(frozen=True, slots=True)
class CaseExport:
    """What an export came to: counts by benchmark; `files` are paths below `folder`."""

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
    """Write both benchmarks into `folder`; when anything fails, it is as it was.

    `licence` is stated in the datasheet. `by` is the person who exports, None for the operator.
    Raises UserError for who may not, where no standard group has two cases, and for a folder that
    cannot be written.
    """
    allow(ws, project_slug, by, Act.EXPORT_GOLD)
    with ws.reading() as session, published(folder) as part:
        project = find_project(session, project_slug)
        found = benchmark(session, project.id, drawing)
        said = {each.court_case_id: each for each in _tagged(session, project.id)}
        _write(part, session, project, found, said)
        write_datasheet(part, case_datasheet(project.title, found, said, licence))
        _write_checksums(part)
    pairs = {str(kind): sum(map(len, each.qrels.values())) for kind, each in found.sets.items()}
    stricter = found.sets[BenchmarkKind.STRICTER].qrels.values()
    return CaseExport(
        folder=str(folder),
        corpus=len(found.cases),
        queries={str(kind): len(each.queries) for kind, each in found.sets.items()},
        pairs=pairs,
        targets=sum(grade == STRICTER_GRADE for each in stricter for grade in each.values()),
    )


def _tagged(session: Session, project_id: int) -> list[TaggedCase]:
    book, _ = book_of(session, project_id)
    return tagged(session, project_id, book)


def _write(
    folder: Path,
    session: Session,
    project: ProjectView,
    found: Benchmark,
    said: Mapping[int, TaggedCase],
) -> None:
    beir.write_lines(folder / "corpus.jsonl", _corpus(session, project.id, found.cases))
    beir.write_lines(folder / "queries.jsonl", _queries(session, project.id, found))
    for kind, each in found.sets.items():
        beir.write_qrels(folder / "qrels" / f"{kind}.tsv", each.qrels)
        trec.write_qrels(folder / "qrels" / f"{kind}.trec", each.qrels)
    beir.write_lines(
        folder / "groups.jsonl", (_group(found, each) for each in found.stricter.groups)
    )
    beir.write_lines(folder / "lineage.jsonl", _lineage(found, said))
    beir.write_lines(folder / "tags.jsonl", map(_tags, said.values()))


def _corpus(session: Session, project_id: int, cases: Iterable[CaseLine]) -> Iterator[Any]:
    for case, text in _with_text(session, project_id, tuple(cases)):
        yield {
            "_id": case.external_id,
            "title": case.title,
            "text": text,
            "metadata": {
                "court": case.court,
                "date": case.date,
                "charges": list(case.charges),
                "provisions": list(case.provisions),
                "language": case.language,
            },
        }


def _queries(session: Session, project_id: int, found: Benchmark) -> Iterator[Any]:
    """Yield the queries of both benchmarks by id, each with what it is asked for."""
    by_name = {case.external_id: case for case in found.cases}
    asked = {query.id: query for each in found.sets.values() for query in each.queries}
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
                "benchmarks": [str(k) for k, each in found.sets.items() if number in each.qrels],
                "chosen": query.chosen,
                "language": case.language,
            },
        }


def _with_text(
    session: Session, project_id: int, cases: tuple[CaseLine, ...]
) -> Iterator[tuple[CaseLine, str]]:
    for start in range(0, len(cases), _TOGETHER):
        some = cases[start : start + _TOGETHER]
        said = texts(session, project_id, (case.id for case in some))
        for case in some:
            yield case, said[case.id]


def _group(found: Benchmark, each: GroupFound) -> dict[str, Any]:
    place, names = each.place, found.stricter.cases
    return {
        "group": each.key,
        "category": place.category.key,
        "label": dict(place.group.label),
        "titles": list(place.charge.titles),
        "provisions": list(place.group.provisions),
        "cases": [names[case].external_id for case in each.cases],
        "sub_factors": list(each.table.columns),
        "depth": each.found.depth,
        "stricter_groups": [
            {
                "cases": [names[case].external_id for case in cases],
                "alike": [[key, list(answer)] for key, answer in key_of(each, number)],
            }
            for number, cases in enumerate(each.groups)
        ],
        "untagged": [names[case].external_id for case in each.untagged],
        "incomplete": {
            names[case].external_id: {key: str(gap) for key, gap in gaps.items()}
            for case, gaps in each.table.gaps.items()
        },
    }


def _lineage(found: Benchmark, said: Mapping[int, TaggedCase]) -> Iterator[dict[str, Any]]:
    by_name = {case.external_id: case for case in found.cases}
    depths = {each.key: each.found.depth for each in found.stricter.groups}
    for kind, each in found.sets.items():
        for query in sorted(each.queries, key=lambda query: query.id):
            for case, grade in each.qrels[query.id].items():
                pair = by_name[query.case].id, by_name[case].id
                tagged_alike = grade == STRICTER_GRADE
                yield {
                    "benchmark": str(kind),
                    "query_id": query.id,
                    "case_id": case,
                    "relevance": grade,
                    "typology": found.stricter.typology,
                    "rules": [_rules(found, number, query.group) for number in pair],
                    "alike": depths[query.group] if tagged_alike else None,
                    "codebook": found.stricter.codebook_version if tagged_alike else None,
                    "decisions": [_decisions(said[n]) for n in pair] if tagged_alike else None,
                }


def _rules(found: Benchmark, case: int, group: str) -> list[dict[str, Any]]:
    return [
        asdict(why) | {"provisions": list(why.provisions)}
        for why in found.stricter.mapped[case].why
        if why.group == group
    ]


def _decisions(case: TaggedCase) -> dict[str, Any]:
    return {
        "item": case.item_id,
        "annotations": [each.annotation_id for each in case.said],
        "settlement": case.settled.settlement_id if case.settled else None,
    }


def _tags(case: TaggedCase) -> dict[str, Any]:
    return {
        "case_id": case.external_id,
        **_decisions(case),
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


def _write_checksums(folder: Path) -> None:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = (
        f"{sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in files
    )
    (folder / CHECKSUMS).write_text("".join(lines), "utf-8", newline="\n")
