"""Modules that a release brings along for `mteb` and `ir_datasets`, and how each tool loads it.

A module is the same for every release but for the literal `RELEASE` in it: JSON, whose quotes and
backslashes end nothing, so that no text of a release becomes code.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from storage.export.about import About, iso_639_3

MTEB, IR_DATASETS = "mteb_task.py", "ir_datasets_extension.py"
_SCRIPTS = {"ko": "Hang", "zh": "Hans", "ja": "Jpan"}

_MTEB = '''\
"""Task of mteb for the release in this folder: ``mteb.evaluate(model, mteb_task.Task())``."""

import json
from pathlib import Path

from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata

RELEASE = json.loads({literal})


class Task(AbsTaskRetrieval):
    metadata = TaskMetadata(
        name=RELEASE["name"],
        dataset={{"path": str(Path(__file__).resolve().parent), "revision": RELEASE["version"]}},
        description=RELEASE["description"],
        reference=RELEASE["reference"],
        type="Retrieval",
        category="t2t",
        modalities=["text"],
        eval_splits=RELEASE["splits"],
        eval_langs=RELEASE["languages"],
        main_score="ndcg_at_10",
        date=(RELEASE["date"], RELEASE["date"]),
        domains=["Legal"],
        task_subtypes=["Article retrieval"],
        license=RELEASE["licence"],
        annotations_creators="expert-annotated",
        dialect=[],
        sample_creation="found",
        bibtex_citation=RELEASE["citation"],
    )
'''
_IR_DATASETS = '''\
"""Extension of ir_datasets: import it from the folder of the release, then load one by name."""

import json
from pathlib import Path
from typing import NamedTuple

import ir_datasets
from ir_datasets.datasets.base import Dataset, FilteredQueries
from ir_datasets.formats import BaseQrels, GenericQuery, JsonlDocs, JsonlQueries, TrecQrel
from ir_datasets.util import LocalDownload

RELEASE = json.loads({literal})
FOLDER = Path(__file__).resolve().parent


class Document(NamedTuple):
    doc_id: str
    title: str
    text: str

    def default_text(self):
        return f"{{self.title}} {{self.text}}".strip()


class Qrels(BaseQrels):
    def __init__(self, split):
        self.path = FOLDER / "qrels" / f"{{split}}.jsonl"

    def qrels_iter(self):
        with self.path.open(encoding="utf-8") as file:
            for each in map(json.loads, file):
                yield TrecQrel(each["query-id"], each["corpus-id"], each["score"], "0")

    def qrels_cls(self):
        return TrecQrel

    def qrels_defs(self):
        return {{0: "rejected by everybody who decided", 1: "answers the question"}}

    def queries(self):
        return {{each.query_id for each in self.qrels_iter()}}


docs = JsonlDocs(
    LocalDownload(FOLDER / "corpus.jsonl"),
    Document,
    {{"doc_id": "_id", "title": "title", "text": "text"}},
    namespace=RELEASE["name"],
    lang=RELEASE["language"],
    docstore_path=str(ir_datasets.util.home_path() / RELEASE["name"] / RELEASE["corpus"]),
)
queries = JsonlQueries(
    LocalDownload(FOLDER / "queries.jsonl"),
    GenericQuery,
    {{"query_id": "_id", "text": "text"}},
    lang=RELEASE["language"],
)
ir_datasets.registry.register(RELEASE["name"], Dataset(docs, queries))
for split in RELEASE["splits"]:
    qrels = Qrels(split)
    judged = FilteredQueries(queries, qrels.queries)
    ir_datasets.registry.register(f"{{RELEASE['name']}}/{{split}}", Dataset(docs, judged, qrels))
'''


def mteb_task(about: About, languages: Sequence[str], splits: Sequence[str], cite: str) -> str:
    """Return the module with the task of a release; it is scored on "test" where there is one."""
    release = {
        "name": about.name,
        "version": about.version,
        "description": about.description,
        "reference": about.url or None,
        "splits": ["test"] if "test" in splits else list(splits),
        "languages": [f"{iso_639_3(each)}-{_SCRIPTS.get(each, 'Latn')}" for each in languages],
        "date": about.date,
        "licence": about.licence_url or None,
        "citation": cite,
    }
    return _MTEB.format(literal=_literal(release))


def ir_datasets_extension(
    about: About, languages: Sequence[str], splits: Sequence[str], corpus: str
) -> str:
    """Return the module that registers a release, and each of its parts, with `ir_datasets`.

    `corpus` is the hash of the documents: what the tool keeps of others is not taken for them.
    """
    release = {
        "name": about.name,
        "language": languages[0] if len(languages) == 1 else None,
        "splits": list(splits),
        "corpus": corpus,
    }
    return _IR_DATASETS.format(literal=_literal(release))


def _literal(value: object) -> str:
    """Return the JSON of a value as a Python string literal in ASCII."""
    return ascii(json.dumps(value))
