"""The files of a release: data for each tool, and the texts that describe it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from corpus.model import language_of
from evaluation.reports.report import Report, Section
from evaluation.tables import written
from normalization.hashing import file_hash
from services.gold.export import ExportData, write_files
from storage.export import beir, croissant
from storage.export.about import (
    QRELS,
    About,
    Card,
    Config,
    as_markdown,
    bibtex,
    card_text,
    citation_cff,
    dump_json,
    features_of,
    zenodo_json,
)
from storage.export.beir import read_lines
from storage.export.datasheet import Datasheet
from storage.export.loaders import IR_DATASETS, MTEB, ir_datasets_extension, mteb_task
from storage.export.trec import as_field

RELEASE, CARD = "release.json", "README.md"
NO_ANSWER = "no_answer.jsonl"
_TABLES = {"csv": "csv", "latex": "tex", "markdown": "md", "json": "json"}
_LOADING = """\
```python
from datasets import load_dataset
corpus, qrels = load_dataset("{name}", "corpus"), load_dataset("{name}", split="{split}")
```

`{name}` is the path of this folder, or its name on the hub. `corpus.jsonl`, `queries.jsonl` and
`qrels/*.tsv` are a BEIR folder; `qrels.trec` and `topics.tsv` are for trec_eval; `mteb_task.py` is
a task of mteb, `ir_datasets_extension.py` registers the parts with ir_datasets, and
`croissant.json` describes the files. `gold.jsonl` holds the decisions behind every judgement,
`datasheet.md` how they were made."""


def write_data(folder: Path, data: ExportData) -> tuple[Config, ...]:
    """Write the export and files for other tools; return the configurations of the hub."""
    write_files(folder, data)
    queries = list(read_lines(folder / "queries.jsonl"))
    unanswered = [query for query in queries if query["metadata"]["no_provision"]]
    parts: dict[str, str] = {}
    for part, qrels in data.qrels_by_part.items():
        if qrels:
            parts[part] = f"qrels/{part}.jsonl"
            beir.write_lines(folder / parts[part], _judgements(qrels))
    topics = (f"{as_field(each['_id'])}\t{' '.join(each['text'].split())}\n" for each in queries)
    (folder / "topics.tsv").write_text("".join(topics), "utf-8", newline="\n")
    about_queries = features_of(queries)
    of_corpus = features_of(read_lines(folder / "corpus.jsonl"))
    found = [
        Config("corpus", {"corpus": "corpus.jsonl"}, of_corpus),
        Config("queries", {"queries": "queries.jsonl"}, about_queries),
        *([Config("default", parts, QRELS)] if parts else ()),
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
        write_table(Table.from_pylist(list(read_lines(folder / path))), target / f"{split}.parquet")


def write_descriptions(
    folder: Path,
    about: About,
    data: ExportData,
    facts: Datasheet,
    configs: tuple[Config, ...],
    report: Report,
) -> Card:
    """Write card, licence, citation files, modules, metadata and tables; return the card."""
    languages = _languages(data)
    splits = tuple(split for each in configs if each.name == "default" for split in each.files)
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
                "snapshot": beir.snapshot_as_dict(data.snapshot),
                "gold_hash": data.gold.hash,
                "split": None if data.split is None else data.split.view.number,
            }
        ),
    }
    people = said["collection"]
    decided = (
        f"- {as_markdown(each['person'])}: {each['decisions']:,} decisions"
        for each in people["people"]
    )
    sections = (
        ("How to load it", _LOADING.format(name=about.name, split=splits[-1] if splits else "")),
        *((each.title, _section_text(each)) for each in report.filled),
        *_split(said),
        ("People", "\n".join((f"Named by {people['people named by']}.", "", *decided))),
    )
    card = Card(about, languages, len(data.corpus), configs, sections)
    write_texts(folder, {**texts, CARD: card_text(card)})
    return card


def write_texts(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts by path below a folder."""
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8", newline="\n")


def _languages(data: ExportData) -> tuple[str, ...]:
    """Return the languages of questions and corpus, the most frequent of the questions first."""
    asked = [data.evidence.questions[item.external_id].language for item in data.gold.items]
    texts = {language_of(passage.text) for passage in data.corpus if passage.text.strip()}
    every = {*asked, *texts} - {""}
    return tuple(sorted(every, key=lambda each: (-asked.count(each), each)))


def _licence(about: About) -> str:
    """Return the text of the licence file."""
    head = f"{about.title}, version {about.version}"
    rights = f"Copyright (c) {about.year} {', '.join(about.authors)}"
    terms = f"This data set is released under: {about.licence}\n{about.licence_url}"
    return f"{head}\n{rights}\n\n{terms}".rstrip() + "\n"


def _section_text(section: Section) -> str:
    """Return lead and table of a section as Markdown; no lead where it has no rows."""
    table = written(replace(section.table(), title=""), "markdown").strip()
    lead = as_markdown(section.lead) if section.sheet.rows else ""
    return "\n\n".join(filter(None, (lead, table)))


def audit_text(audited: Report) -> str:
    """Return an audit's lead and the checks that found something, as Markdown for the card."""
    findings = audited.sections[0]
    sheet = findings.sheet
    rows = tuple(row for row in sheet.rows if row[sheet.at("found")])
    table = _section_text(replace(findings, sheet=replace(sheet, rows=rows), notes=()))
    return f"{as_markdown(audited.lead)} The cases are in `audit.html`.\n\n{table}"


def _split(facts: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield one heading and text on the split and its leakage; none without a split."""
    composition = facts["composition"]
    if "split" in composition:
        lines = [f"- {as_markdown(str(composition['split']))}"]
        for name, said in composition.items():
            if name.startswith("pairs of questions nearly the same") or "in both parts" in name:
                counts = ", ".join(f"{parts} {count:,}" for parts, count in said.items())
                lines.append(f"- {name}: {counts}")
        yield "Split", "\n".join(lines)
