"""A release: gold as one folder that the tools of the field load, checked before it is there.

It holds what an export holds, as the Hugging Face hub, BEIR, trec_eval, `mteb`, `ir_datasets` and
Croissant read it, with card, licence, citation, datasheet, tables for a paper and checksums. The
same database and words give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotation.people.consent import named_people
from annotation.people.members import people_in
from annotation.people.roles import Act, reading_as
from annotation.work.versioned_texts import DATASHEET_ANSWERS
from corpus.benchmarks.reading import read_benchmark
from corpus.model import language_of
from errors import UserError, Where
from evaluation.reports.files import report_file
from evaluation.reports.report import Report
from normalization.hashing import file_hash
from services.audit.report import as_report as audit_report
from services.audit.report import audit
from services.gold.datasheet import Sheet
from services.gold.export import (
    ALL_PAIRS,
    NEWEST,
    ExportData,
    Pairs,
    Parts,
    export_data,
    write_files,
)
from services.gold.release_report import Earlier, release_report
from storage.db.atomic_files import published_whole
from storage.db.workspace import Workspace
from storage.export import beir, croissant
from storage.export.about import About, bibtex, citation_cff, dump_json, zenodo_json
from storage.export.card import QRELS, Card, Config, as_markdown, card_text, features_of
from storage.export.datasheet import Datasheet, write_datasheet
from storage.export.loaders import IR_DATASETS, MTEB, ir_datasets_extension, mteb_task
from storage.export.trec import as_field

RELEASE, CHECKSUMS = "release.json", "SHA256SUMS"
NO_ANSWER = "no_answer.jsonl"
_BROKEN = {  # checks of the audit whose findings say that files do not agree
    *("unreadable", "query_missing", "grades_contradict"),
    *("document_id_repeated", "query_id_repeated"),
}
_TABLES = {"csv": "csv", "latex": "tex", "markdown": "md", "json": "json"}
_LOADING = """\
From inside this folder:

```python
from datasets import load_dataset
corpus, queries, qrels = (load_dataset(".", name) for name in ("corpus", "queries", "default"))
```

`corpus.jsonl`, `queries.jsonl` and `qrels/*.tsv` are a BEIR folder; `qrels.trec` and `topics.tsv`
are for trec_eval; `mteb_task.py` is a task of mteb, `ir_datasets_extension.py` registers the parts
with ir_datasets, and `croissant.json` describes the files. `gold.jsonl` holds the decisions behind
every judgement, `datasheet.md` how they were made."""


@dataclass(frozen=True, slots=True)
class ReleaseDone:
    """Summary of a release: its folder, what it says of itself, figures, audit, and files."""

    folder: str
    about: About
    report: Report
    audit: Report
    files: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "folder": self.folder,
            "about": self.about.as_dict(),
            "report": self.report.as_json(),
            "audit": self.audit.facts,
            "files": list(self.files),
        }


def release(
    ws: Workspace,
    project_slug: str,
    folder: Path,
    about: About,
    snapshot_id: int | None = None,
    *,
    by: int | None = None,
    names: bool = False,
    parts: Parts = NEWEST,
    pairs: Pairs = ALL_PAIRS,
    since: Path | None = None,
) -> ReleaseDone:
    """Write a release into `folder`, which is absent or empty; on any failure nothing is left.

    What `about` leaves open is that of the release in the folder `since`, whose changes are listed;
    then title and licence are those of project and datasheet, and the date is that of the last
    decision. People are pseudonyms; with `names`, those who agreed are named. The rest is as in
    `services.gold.export.export_gold`. Raises UserError as that does, for a field that is missing
    or not of its form, and for `since` without a release.
    """
    before = None if since is None else Earlier.read(since)
    about = _filled(about, before, *_project_words(ws, project_slug, by))
    sheet = Sheet(about.licence, names=names)
    world, facts = export_data(ws, project_slug, by, snapshot_id, sheet, parts, pairs)
    about = replace(about, date=about.date or _last_day(facts))
    about.check()
    report = release_report(world, facts, before)
    with published_whole(folder) as part:
        configs = _write_data(part, world)
        write_datasheet(part, facts)
        card = _write_descriptions(part, about, world, facts, configs, report)
        audited = _audited(part, about.title)
        for ending in (".html", ".json"):
            (part / f"audit{ending}").write_bytes(report_file(audited, ending))
        card = replace(card, sections=(*card.sections, ("Audit", _audit_text(audited))))
        _write_texts(part, {"README.md": card_text(card)})
        files = _write_checksums(part)
    return ReleaseDone(str(folder), about, report, audited, files)


def who_is_named(
    ws: Workspace, project_slug: str, by: int | None = None
) -> tuple[tuple[str, ...], int]:
    """Return the names of the people who agreed to be named, and how many others there are.

    Raises UserError for `by` without permission to export gold.
    """
    with reading_as(ws, project_slug, by, Act.EXPORT_GOLD) as (session, project, _):
        people, named = people_in(session, project.id), named_people(session, project.id)
    return tuple(each.name for each in people if each.id in named), len(people) - len(named)


def _project_words(ws: Workspace, project_slug: str, by: int | None) -> tuple[str, str]:
    """Return the title of the project and the licence of its datasheet form."""
    with reading_as(ws, project_slug, by, Act.EXPORT_GOLD) as (session, project, _):
        _, answers = DATASHEET_ANSWERS.current(session, project.id)
    return project.title, answers.get("licence", "")


def _filled(about: About, before: Earlier | None, title: str, licence: str) -> About:
    """Return `about` with the fields left open taken from the earlier release and the project."""
    earlier = {} if before is None else {**before.about, "version": "", "date": ""}
    usual = {"title": title, "licence": licence}
    said = about.as_dict()
    found = {name: said[name] or earlier.get(name) or usual.get(name, "") for name in said}
    return About(**found | {"authors": tuple(found["authors"])})


def _last_day(facts: Datasheet) -> str:
    """Return the day of the last decision; the first of 1970 where there is none."""
    return str(facts.collection.get("last decision") or "1970-01-01")[:10]


def _write_data(folder: Path, world: ExportData) -> tuple[Config, ...]:
    """Write the export, and what other tools need of it; return the configurations of the hub."""
    write_files(folder, world)
    queries = list(_lines(folder / "queries.jsonl"))
    unanswered = [query for query in queries if query["metadata"]["no_provision"]]
    parts: dict[str, str] = {}
    for part, qrels in world.qrels_by_part.items():
        if qrels:
            parts[part] = f"qrels/{part}.jsonl"
            beir.write_lines(folder / parts[part], _judgements(qrels))
    topics = (f"{as_field(each['_id'])}\t{' '.join(each['text'].split())}\n" for each in queries)
    (folder / "topics.tsv").write_text("".join(topics), "utf-8", newline="\n")
    about_queries = features_of(queries)
    found = [
        Config("corpus", {"corpus": "corpus.jsonl"}, features_of(_lines(folder / "corpus.jsonl"))),
        Config("queries", {"queries": "queries.jsonl"}, about_queries),
        Config("default", parts, QRELS),
    ]
    if unanswered:
        beir.write_lines(folder / NO_ANSWER, unanswered)
        found.append(Config("no_answer", {"no_answer": NO_ANSWER}, about_queries))
    for config in found:
        _write_parquet(folder, config)
    return tuple(found)


def _judgements(qrels: beir.Qrels) -> Iterator[dict[str, Any]]:
    """Yield judgements as objects, in the order of BEIR's."""
    for query, units in sorted(qrels.items()):
        for unit, score in sorted(units.items()):
            yield {"query-id": query, "corpus-id": unit, "score": score}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="\n") as file:
        yield from map(json.loads, file)


def _write_parquet(folder: Path, config: Config) -> None:
    """Write the files of a configuration as Parquet too, where pyarrow is installed."""
    try:
        from pyarrow import Table
        from pyarrow.parquet import write_table
    except ImportError:
        return
    target = folder / "parquet" / config.name
    target.mkdir(parents=True)
    for split, path in config.files.items():
        write_table(Table.from_pylist(list(_lines(folder / path))), target / f"{split}.parquet")


def _write_descriptions(
    folder: Path,
    about: About,
    world: ExportData,
    facts: Datasheet,
    configs: tuple[Config, ...],
    report: Report,
) -> Card:
    """Write card, licence, citation files, modules, metadata and tables; return the card."""
    languages = _languages(world)
    splits = tuple(configs[2].files)
    said = facts.facts()
    (folder / "tables").mkdir()
    texts = {
        **{f"tables/release.{end}": report.written(kind) for kind, end in _TABLES.items()},
        "LICENSE": _licence(about),
        "CITATION.cff": citation_cff(about),
        ".zenodo.json": zenodo_json(about, languages),
        MTEB: mteb_task(about, languages, splits, bibtex(about)),
        IR_DATASETS: ir_datasets_extension(
            about, languages, splits, file_hash(folder / "corpus.jsonl")
        ),
        croissant.FILE: croissant.croissant_json(about, languages, configs, said, folder),
        RELEASE: dump_json(
            {
                **about.as_dict(),
                "snapshot": beir.snapshot_as_dict(world.snapshot),
                "gold_hash": world.gold.hash,
                "split": None if world.split is None else world.split.view.number,
            }
        ),
    }
    sections = (
        ("How to load it", _LOADING),
        *((each.title, _section_text(each)) for each in report.filled),
        ("People", _people(said)),
    )
    card = Card(about, languages, len(world.corpus), configs, sections)
    _write_texts(folder, {**texts, "README.md": card_text(card)})
    return card


def _write_texts(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8", newline="\n")


def _languages(world: ExportData) -> tuple[str, ...]:
    """Return the languages of questions and corpus, the most frequent of the questions first."""
    asked = [world.evidence.questions[item.external_id].language for item in world.gold.items]
    texts = {language_of(passage.text) for passage in world.corpus if passage.text.strip()}
    every = {*asked, *texts} - {""}
    return tuple(sorted(every, key=lambda each: (-asked.count(each), each)))


def _licence(about: About) -> str:
    lines = [
        f"{about.title}, version {about.version}",
        f"Copyright (c) {about.year} {', '.join(about.authors)}",
        "",
        f"This data set is released under: {about.licence}",
        about.licence_url,
    ]
    return "\n".join(lines).rstrip() + "\n"


def _section_text(section: Any) -> str:
    from evaluation.tables import written

    table = written(replace(section.table(), title=""), "markdown").strip()
    lead = as_markdown(section.lead) if section.sheet.rows else ""
    return "\n\n".join(filter(None, (lead, table)))


def _audit_text(audited: Report) -> str:
    """Return what an audit found, for the card."""
    findings = audited.sections[0]
    sheet = findings.sheet
    rows = tuple(row for row in sheet.rows if row[sheet.at("found")])
    table = _section_text(replace(findings, sheet=replace(sheet, rows=rows), notes=()))
    return f"{as_markdown(audited.lead)} The cases are in `audit.html`.\n\n{table}"


def _people(facts: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the people behind the gold as the datasheet has them."""
    lines = (
        f"- {as_markdown(each['person'])}: {each['decisions']:,} decisions"
        for each in facts["collection"]["people"]
    )
    return "\n".join((f"Named by {facts['collection']['people named by']}.", "", *lines))


def _audited(folder: Path, title: str) -> Report:
    """Return the audit of the release. Raises UserError where its files do not agree."""
    found = audit(replace(read_benchmark(folder), name=title))
    for finding in found.findings:
        if finding.check.name in _BROKEN and finding.count:
            case = finding.cases[0]
            raise UserError("release_check", Where(case.place), id=case.id, count=finding.count)
    return audit_report(found, "en")


def _write_checksums(folder: Path) -> tuple[str, ...]:
    """Write SHA256SUMS; return the paths of all files."""
    files = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )
    lines = (f"{file_hash(folder / name)}  {name}\n" for name in files)
    (folder / CHECKSUMS).write_text("".join(lines), "utf-8", newline="\n")
    return tuple(sorted((*files, CHECKSUMS)))
