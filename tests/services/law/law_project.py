"""A project with law read from files, gold of every outcome, and most of it "no provision"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from annotation.adjudication.disputes import decide
from annotation.mapping import commands as mapping_commands
from annotation.people.members import add_person
from annotation.work import commands, queue_service
from corpus.model import Question
from services.law.importing import LawReport, import_statutes
from services.mapping.candidates import build_candidates
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions
from storage.projects import create_project
from tests.projects.project_cache import kept_project

SLUG = "law"
HARBOUR: dict[int | str, str] = {
    1: "Vessels keep lanterns.",
    2: "Masters pay dues quarterly.",
    3: "Berths need permits.",
    4: "Nets dry eastward.",
}
MARKET: dict[int | str, str] = {
    1: "Scales stand upright.",
    2: "Stalls run one season.",
    3: "Salt rests covered.",
}
ASKED = {  # words that no provision shares are what makes a candidate sure to be none
    "q1": "Lanterns on vessels?",  # agreed on Article 1 of the Harbour Act
    "q2": "Dues when?",  # adjudicated: Article 2 of the Harbour Act
    "q3": "Painted lanterns?",  # agreed: no provision
    "q4": "Scales inspected?",  # agreed: no provision
    "q5": "Dues for barrels?",  # adjudicated: no provision
    "q6": "Permits taxed?",  # one submission only, "no provision"
    "q7": "Stalls for how long?",  # agreed: Article 2 of the Market Act
}


@dataclass(frozen=True, slots=True)
class LawProject:
    """The project: its people, its items by question, and the folder that its law is read from."""

    ws: Workspace
    ann: int
    ben: int
    judge: int
    lead: int
    items: Mapping[str, int]
    folder: Path

    def law(self, name: str, **statutes: Mapping[int | str, str]) -> Path:
        """Write law into a folder of that name, each statute's articles by number."""
        return write_law(self.folder / name, statutes)

    def bring(self, name: str, add: bool = False, **statutes: Mapping[int | str, str]) -> LawReport:
        """Import such law as the lead does."""
        return import_statutes(self.ws, SLUG, self.law(name, **statutes), add=add, by=self.lead)

    def again(self, name: str, person: int, *accepted: str) -> None:
        """Take a question up again as somebody who annotates, and submit it anew."""
        item = self.items[name]
        mapping_commands.recheck(self.ws, person, item)
        answer(self.ws, person, item, *accepted)


def write_law(folder: Path, statutes: Mapping[str, Mapping[int | str, str]]) -> Path:
    """Write statutes as Markdown: {"harbour": {1: "…"}} is the Harbour Act with one article."""
    for name, articles in statutes.items():
        title = f"{name.capitalize()} Act"
        text = "".join(
            f"##### Article {n} (Part {n})\n\n{words}\n\n" for n, words in articles.items()
        )
        head = f"---\n제목: {title}\n법령구분: Act\n시행일자: 2026-01-01\n---\n\n# {title}\n\n"
        file = folder / name / "act.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(head + text, "utf-8")
    return folder


def law_project(
    folder: Path, clock: Callable[[], object], spec: object = None, annotated: bool = True
) -> LawProject:
    """Make the project, with candidates made by the method that `spec` describes, and annotate."""
    ws = Workspace(folder / "workspace", clock)  # type: ignore[arg-type]
    law = write_law(folder / "first", {"harbour": HARBOUR, "market": MARKET})
    recipe = "harbour law", repr(spec), annotated
    made = kept_project(recipe, ws, lambda: _made(ws, law, spec, annotated))
    return replace(made, folder=folder)


def _made(ws: Workspace, law: Path, spec: object, annotated: bool) -> LawProject:
    migrate(ws)
    create_project(ws, SLUG, "Law")
    ann, ben = (add_person(ws, SLUG, name, "annotator").id for name in ("Ann", "Ben"))
    judge = add_person(ws, SLUG, "Judge", "adjudicator").id
    lead = add_person(ws, SLUG, "Lead", "researcher").id
    import_statutes(ws, SLUG, law)
    keep_questions(ws, SLUG, [_question(*each) for each in ASKED.items()], "questions.jsonl")
    build_candidates(ws, SLUG, spec=spec)  # type: ignore[arg-type]
    items = {entry.external_id: entry.item_id for entry in queue_service.queue(ws, ann)}
    made = LawProject(ws, ann, ben, judge, lead, items, law.parent)
    if annotated:
        _annotate(made)
    return made


def answer(ws: Workspace, person: int, item: int, *accepted: str) -> None:
    """Accept units by semantic id, or say that there is no provision, and submit."""
    view = queue_service.open_item(ws, person, item)
    listed = {each.semantic_id: each.unit_id for each in view.candidates}
    for unit in accepted:
        mapping_commands.label(ws, person, item, listed[unit], "accept")
    if not accepted:
        mapping_commands.set_no_provision(ws, person, item, True)
    commands.submit(ws, person, item)


def _annotate(here: LawProject) -> None:
    said = {"q1": ("Harbour-Act_article-1",), "q7": ("Market-Act_article-2",), "q3": (), "q4": ()}
    for name, units in said.items():
        for person in (here.ann, here.ben):
            answer(here.ws, person, here.items[name], *units)
    for name in ("q2", "q5"):
        answer(here.ws, here.ann, here.items[name])
        answer(here.ws, here.ben, here.items[name], "Harbour-Act_article-2")
    view = queue_service.open_item(here.ws, here.ann, here.items["q2"])
    listed = {each.semantic_id: each.unit_id for each in view.candidates}
    wanted = [listed["Harbour-Act_article-2"]]
    decide(here.ws, here.judge, here.items["q2"], wanted, False, "it says when", 1)
    decide(here.ws, here.judge, here.items["q5"], [], True, "nothing on sales", 1)
    answer(here.ws, here.ann, here.items["q6"])


def _question(name: str, text: str) -> Question:
    return Question(
        external_id=name,
        text=text,
        answer="Ask elsewhere.",
        language="en",
        citation_strings=(),
        gold_ids=(),
    )
