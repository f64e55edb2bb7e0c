"""A project with answers to be judged: three questions, two systems, judges, raters, a reviewer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from annotation.forms import form as form_commands
from annotation.judging.state import CaseState, states_of
from annotation.people.members import add_person
from annotation.work import commands, queue_service
from llm.batch import Progress
from services.background.tasks import watched
from services.judging import model_judging
from services.judging.importing import import_cases, import_verdicts
from services.judging.model_judging import JudgingPlan, plan_calls
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.projects.project_cache import kept

SLUG = "answers"
SYSTEMS = ("small", "large")
QUESTIONS = ("q1", "q2", "q3")


@dataclass
class Answered:
    """The project and the ids of its people."""

    ws: Workspace
    folder: Path
    ann: int
    ben: int
    adjudicator: int
    researcher: int

    def state(self, question: str = "q1", system: str = "small") -> CaseState:
        """Return the state of one answer."""
        found = {(each.case.external_id, each.case.system): each for each in self.states()}
        return found[question, system]

    def states(self) -> list[CaseState]:
        """Return the state of every answer."""
        return states_of(self.ws, SLUG)

    def rate(self, person: int, correct: bool, question: str = "q1", system: str = "small") -> int:
        """Rate an answer; return the id of the annotation."""
        item = self.state(question, system).rating_item or 0
        rating = "correct" if correct else "incorrect"
        return self.say(person, item, {"rating": rating})

    def review(self, correct: bool, estimate: str, *categories: str, **of: Any) -> int:
        """Review an answer as the adjudicator; return the id of the annotation."""
        said: dict[str, Any] = {
            "consensus": "correct" if correct else "incorrect",
            "estimate": estimate,
        }
        if categories:
            said |= {"categories": list(categories), "rationale": "As the provision says."}
        return self.say(self.adjudicator, self.state(**of).review_item or 0, said)

    def say(self, person: int, item: int, said: Mapping[str, Any]) -> int:
        """Answer the fields of an item and submit."""
        queue_service.open_item(self.ws, person, item)
        for field, value in said.items():
            form_commands.answer(self.ws, person, item, field, value)
        return commands.submit(self.ws, person, item)

    def judge(self, *lines: Mapping[str, Any]) -> None:
        """Bring in verdicts."""
        import_verdicts(self.ws, SLUG, jsonl(self.folder / "verdicts.jsonl", lines))


def case(question: str, system: str, **more: Any) -> dict[str, Any]:
    """Return a line of a file of answers."""
    return {
        "id": question,
        "system": system,
        "question": f"May a boat sail without a lamp, {question}?",
        "reference": "No: Article 1 asks for a lamp.",
        "answer": f"The {system} model says no.",
        "provisions": [{"label": "Lake Act Article 1", "text": "Boats need a lamp."}],
        "kind": "yes/no" if question == "q1" else "how",
        "language": "en",
        **more,
    }


def verdict(question: str, said: Any, judge: str = "gpt", system: str = "small") -> dict[str, Any]:
    """Return a line of a file of verdicts."""
    return {"id": question, "system": system, "judge": judge, "verdict": said}


def jsonl(file: Path, lines: Iterable[Mapping[str, Any]]) -> Path:
    """Write the lines into the file and return it."""
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return file


def build(folder: Path, clock: Any) -> Answered:
    """Make the project in a new workspace, with six answers and nothing said of them."""
    ws = Workspace(folder / "workspace", clock)
    lines = [case(question, system) for system in SYSTEMS for question in QUESTIONS]
    file = jsonl(folder / "cases.jsonl", lines)
    return Answered(ws, folder, *kept("answers", ws, lambda: _made(ws, file)))


def _made(ws: Workspace, cases: Path) -> tuple[int, int, int, int]:
    """Make the project and return the ids of its people."""
    migrate(ws)
    create_project(ws, SLUG, "Answers", 2)
    ann, ben = (add_person(ws, SLUG, name, "annotator").id for name in ("Ann", "Ben"))
    adjudicator = add_person(ws, SLUG, "Ada", "adjudicator").id
    researcher = add_person(ws, SLUG, "Rex", "researcher").id
    import_cases(ws, SLUG, cases)
    return ann, ben, adjudicator, researcher


def run_judge(ws: Workspace, slug: str, plan: JudgingPlan, by: int | None = None) -> Progress:
    """Ask everything of the plan and wait for it."""
    work = partial(model_judging.run_judge, ws, plan_calls(ws, slug, plan, by))
    return watched(work, lambda done, total: None)
