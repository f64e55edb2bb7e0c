"""Projects of as many items of a task as are asked for: for `benchmarks/keyboard.py`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from annotation.people.members import add_person
from benchmarks.program import ROOT
from corpus.ocr.blocks import Block, BlockKind
from corpus.ocr.drafting import Draft
from services.judging.importing import import_cases, import_verdicts
from services.law.importing import import_questions, import_statutes
from services.mapping.candidates import build_candidates
from services.ocr.drafting import Made, keep_page_draft, plan_drafts
from services.ocr.importing import import_pages
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.projects import (
    attribution_review_project,
    curation_project,
    mcq_project,
    research_project,
    tagging_project,
)

SAMPLE = ROOT / "sample"
SLUG = "keyboard"


@dataclass(frozen=True, slots=True)
class Bench:
    """A project to work in: its slug, the person who works by number, and the items to be had."""

    slug: str
    person: int


def empty(workspace: Path) -> tuple[Workspace, int, int]:
    """Return a workspace with a project and nothing in it, and who annotates and adjudicates."""
    ws = Workspace(workspace)
    migrate(ws)
    create_project(ws, SLUG, "Keyboard", 1)
    ann, cho = (
        add_person(ws, SLUG, *each) for each in (("Ann", "annotator"), ("Cho", "adjudicator"))
    )
    return ws, ann.id, cho.id


def written(file: Path, rows: Iterable[dict[str, Any]]) -> Path:
    """Write rows as JSON lines; return the file."""
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


def citation_mapping(workspace: Path, number: int) -> Bench:
    """The sample's law with its questions, again and again under new names."""
    lines = (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    known = [json.loads(line) for line in lines]
    asked = ({**known[at % len(known)], "question_id": f"q{at + 1:03}"} for at in range(number))
    ws, ann, _ = empty(workspace)
    import_statutes(ws, SLUG, SAMPLE / "statutes")
    import_questions(ws, SLUG, written(workspace.parent / "questions.jsonl", asked))
    build_candidates(ws, SLUG)
    ws.engine.dispose()
    return Bench(SLUG, ann)


def ocr_correction(workspace: Path, number: int) -> Bench:
    """Small pages on each of which an engine was unsure of a word."""
    ws, ann, _ = empty(workspace)
    slips = [Image.new("L", (400, 160), 255) for _ in range(number)]
    for at, slip in enumerate(slips, 1):
        ImageDraw.Draw(slip).text((20, 60), f"Article {at}", fill=0, font_size=30)
    file = workspace.parent / "slips.tiff"
    slips[0].save(file, save_all=True, append_images=slips[1:])
    import_pages(ws, SLUG, file)
    for page in plan_drafts(ws, SLUG, "an engine 1").todo:
        lead = f"제{page.number}조 "
        block = Block(BlockKind.PARAGRAPH, f"{lead}소회기", doubt=((len(lead), len(lead) + 3),))
        keep_page_draft(ws, page, Made("an engine", "1", {}, Draft((block,), ()), None, 0.0))
    ws.engine.dispose()
    return Bench(SLUG, ann)


def answer_rating(workspace: Path, number: int, reviewed: bool = False) -> Bench:
    """Answers with the verdict of a judge on each; for whoever rates them, or reviews."""
    answers = [
        {
            "id": f"c{at:03}",
            "system": "one",
            "question": f"May a boat sail without a lamp, {at}?",
            "reference": "No: Article 1 asks for a lamp on every boat.",
            "answer": f"A boat needs a lamp under Article {at}.",
        }
        for at in range(1, number + 1)
    ]
    said = [
        {"id": each["id"], "system": "one", "judge": "gpt", "verdict": at % 3 > 0}
        for at, each in enumerate(answers, 1)
    ]
    folder = workspace.parent
    ws, ann, cho = empty(workspace)
    import_cases(ws, SLUG, written(folder / "answers.jsonl", answers))
    import_verdicts(ws, SLUG, written(folder / "verdicts.jsonl", said))
    ws.engine.dispose()
    return Bench(SLUG, cho if reviewed else ann)


def mcq_solvability(workspace: Path, number: int) -> Bench:
    """Multiple-choice questions on pairs of provisions."""
    return Bench(mcq_project.SLUG, mcq_project.build(workspace, number=number, overlap=1).ann)


def curation(workspace: Path, number: int) -> Bench:
    """Questions that a model wrote, each with two gold provisions."""
    house = curation_project.build(workspace, number=number, overlap=1)
    return Bench(curation_project.SLUG, house.ann)


def factor_tagging(workspace: Path, number: int) -> Bench:
    """Court cases, and one more, to which other sub-factors belong."""
    house = tagging_project.build(workspace, number=number + 1, overlap=1)
    return Bench(tagging_project.SLUG, house.ann)


def attribution_review(workspace: Path, number: int) -> Bench:
    """Answers of three claims each."""
    house = attribution_review_project.build(workspace, answers=number)
    return Bench(attribution_review_project.SLUG, house.ann)


def research(workspace: Path, number: int) -> Bench:
    """Questions to research in two provisions and a court case."""
    return Bench(research_project.SLUG, research_project.build(workspace, number=number).ann)


_EVERY = (
    *(citation_mapping, ocr_correction, mcq_solvability, curation, answer_rating),
    *(factor_tagging, attribution_review, research),
)
PROJECTS: dict[str, Callable[[Path, int], Bench]] = {
    **{each.__name__: each for each in _EVERY},
    "judge_review": partial(answer_rating, reviewed=True),
}
