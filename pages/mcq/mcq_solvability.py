"""Page of MCQ solvability: does the question really need both provisions?

Annotators answer step by step.

Adjudication pane of MCQ solvability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.forms.disputes import FormDisputeView
from annotation.guidelines.codebook_tree import Option
from annotation.mcq.solvability import ABSTENTION, ASKED, CAUSE, SPEC, WRITTEN, Stage, Verdict
from annotation.mcq.state import McqView, ModelAnswers, own_view
from annotation.tasks.spec import NO, UNSURE, YES
from annotation.work.queue_service import ItemView
from construction.mcq.model import Passage
from messages import say
from pages.shell.context import Context
from pages.task.declared import WORDS, conditions, declared_viewer, form_data, stage_of
from pages.task.declared_pane import DeclaredPane, form_of
from pages.task.page import TaskPage, draw_link
from pages.task.viewer import ui_words
from storage.db.workspace import Workspace
from storage.tasks import Task

_SETTINGS = ("zero", "a", "b", "ab")
MCQ = declared_viewer("mcq")


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return question, options and provisions, with the answer and votes once revealed."""
    return question_panes(own_view(ws, person_id, item), language)


def question_panes(seen: McqView, language: str) -> dict[str, Any]:
    """Return the visible parts of a question as panes."""
    words, options = ui_words("mcq", language, *WORDS), list(seen.options)
    question = {"name": "question", "title": words["question"], "text": seen.query}
    shown = {
        "language": seen.language,
        "hints": {"alone_choice": options, "both_choice": options},
        "panes": [["texts", [question]], ["options", _options(words, seen)]],
        "law": _law(words, seen),
        "below": [] if seen.votes is None else [["table", _votes(words, seen, language)]],
    }
    if seen.stored is not None:
        whole = {"query": seen.query, "options": options[:WRITTEN], "answer": seen.stored}
        shown |= {"now": {"fix": whole}, "shows": {"compared": _explanation(words, seen)}}
    return shown


def form_part(words: Mapping[str, str], causes: Sequence[Option], language: str) -> dict[str, Any]:
    """Return the form as the viewer's data."""
    own: dict[str, dict[str, Any]] = {"stored_right": {"clause": [words["clause_compared"]]}}
    stems = {"stored_right": "right"}
    for step in (Stage.ALONE, Stage.BOTH):
        answerable, choice, sure = ASKED[step]
        stems |= {answerable: "answerable", sure: "sure"}
        own[answerable] = {"implies": {NO: {choice: ABSTENTION}}}
        own[choice] = {"kind": "choice", "options": _numbers(words)}
        own[sure] = {"shown": False}
        clause = [words["step_alone" if step is Stage.ALONE else "clause_both"]]
        for name in ASKED[step]:
            label = f"{words[f'step_{step}']} · {words[f'ask_{name}']}"
            own[name] |= {"name": label, "clause": clause}
        own[step] = {"picks": choice, "clause": clause}
    for name in ("verdict", "fix", CAUSE, "reason"):
        own[name] = {"clause": [["verdict", Verdict.KEEP], words[f"ask_{name}"]]}
    own["reason"]["needs"] = _reason_wanted(words)
    own[Stage.COMPARED] = {"clause": [words["clause_compared"]]}
    return {**form_data(SPEC, words, causes, language, stems, own), "confidence": "both_sure"}


def _numbers(words: Mapping[str, str]) -> list[list[Any]]:
    """Return the options by number; their texts come with the item."""
    option = words["option_of"]
    return [[at, str(at + 1), None, option.format(number=at + 1)] for at in range(WRITTEN + 1)]


def _reason_wanted(words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return when a reason is wanted: kept against one's own answers, or another cause."""
    unsound: dict[str, dict[str, list[str]]] = {
        "alone": {"alone_answerable": [YES]},
        "both": {"both_answerable": [NO]},
        "stored_no": {"stored_right": [NO]},
        "stored_unsure": {"stored_right": [UNSURE]},
    }
    kept: dict[str, list[str]] = {"verdict": [Verdict.KEEP]}
    against = [
        conditions({**kept, **each}, words[f"conflict_{name}"]) for name, each in unsound.items()
    ]
    return [*against, conditions(SPEC.fields["reason"].required_when)]


def _options(words: Mapping[str, str], seen: McqView) -> dict[str, Any]:
    """Return the options with the marks of earlier choices."""
    marks = [
        ["alone_choice", words["picked_alone"], "first"],
        ["both_choice", words["picked_both"], "second"],
    ]
    stored = {"stored": seen.stored, "storedWords": words["picked_stored"]}
    return {"options": list(seen.options), "marks": marks, **stored}


def _explanation(words: Mapping[str, str], seen: McqView) -> list[Any]:
    """Return the pane of the explanation, if there is one."""
    told = {"name": "explanation", "title": words["explanation"], "text": seen.explanation}
    return [["note", told]] if seen.explanation else []


def _law(words: Mapping[str, str], seen: McqView) -> dict[str, Any]:
    """Return the pane of the provisions."""

    def part(name: str, passage: Passage) -> dict[str, Any]:
        """Return one of the provisions."""
        named = {"letter": words[f"letter_{name}"], "title": words[f"provision_{name}"]}
        return {"unit": name, "head": passage.head, "pieces": [[passage.text, 0]], **named}

    units = [part("a", seen.a), *([] if seen.b is None else [part("b", seen.b)])]
    return {"apart": True, "units": units, "curtain": words["curtain"] if seen.b is None else None}


def _votes(words: Mapping[str, str], seen: McqView, language: str) -> dict[str, Any]:
    """Return a table of models' answers: the option of each repeat, per setting."""
    rows = [
        [each.model, *(_cell(words, each, name, seen.stored) for name in _SETTINGS)]
        for each in seen.votes or ()
    ]
    columns = [words[f"setting_{name}"] for name in _SETTINGS]
    told = {"name": "votes", "title": words["votes"], "none": words["votes_none"]}
    told["corner"] = say("mcq_settle.model", language)
    return {**told, "columns": columns, "rows": rows}


def _cell(
    words: Mapping[str, str], answers: ModelAnswers, setting: str, stored: int | None
) -> list[dict[str, str | None]]:
    """Return a model's replies under a setting, as options or reasons without one."""
    found = []
    said = answers.said.get(setting, ()), answers.outcomes.get(setting, ())
    for choice, outcome in zip(*said, strict=True):
        if choice is None:
            missing = {"text": words[f"vote_{outcome}"], "tone": "missing", "label": None}
            found.append(missing)
            continue
        right = choice == stored
        option = words["option_of"].format(number=choice + 1)
        label = f"{option}, {words['vote_stored' if right else 'vote_other']}"
        found.append({"text": str(choice + 1), "tone": "right" if right else "", "label": label})
    return found


PAGE = TaskPage(Task.MCQ_SOLVABILITY, MCQ, fixed_part, stage_of(SPEC), words=WORDS, form=form_part)


def render(context: Context) -> None:
    """Draw the page, with a link to the disputes for adjudicators."""
    PAGE.render(context)
    draw_link(context, Task.MCQ_SOLVABILITY)


def _case_panes(context: Context, case: FormDisputeView) -> dict[str, Any]:
    """Return the panes of the disputed question."""
    return question_panes(case.question, context.language)


PANE = DeclaredPane(Task.MCQ_SOLVABILITY, SPEC, "mcq_settle", form_of(PAGE), _case_panes)
