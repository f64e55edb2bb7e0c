"""Page of MCQ solvability: does the question really need both provisions?

Annotators answer step by step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.guidelines.codebook_tree import Option
from annotation.mcq.solvability import (
    ABSTENTION,
    ASKED,
    CAUSE,
    COMPARED,
    NO,
    OTHER,
    REVEALED,
    SURE,
    UNSURE,
    WRITTEN,
    YES,
    Stage,
    Verdict,
    stage_of,
)
from annotation.mcq.state import McqView, ModelAnswers, own_view
from annotation.work.queue_service import ItemView
from construction.mcq.model import Passage
from pages.shell.context import Context
from pages.task.declared import (
    WORDS,
    cause_field,
    choice_field,
    declared_viewer,
    edit_field,
    stage,
    text_field,
)
from pages.task.page import TaskPage, draw_link
from pages.task.viewer_data import ui_words
from storage.db.workspace import Workspace
from storage.tasks import Task

_SETTINGS = ("zero", "a", "b", "ab")
MCQ = declared_viewer("mcq")


def stage_name(item: ItemView) -> str:
    """Return the item's stage: how much of it is revealed."""
    return str(stage_of(item.answers, item.status == "submitted"))


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return question, options and provisions, with the answer and votes once revealed."""
    seen = own_view(ws, person_id, item)
    words = ui_words("mcq", language, *WORDS)
    options = list(seen.options)
    fixed = {
        "stage": stage_name(item),
        "language": seen.language,
        "hints": {"alone_choice": options, "both_choice": options},
        "panes": [
            ["texts", [{"name": "question", "title": words["question"], "text": seen.query}]],
            ["options", _options(words, seen)],
        ],
        "law": _law(words, seen),
        "below": [] if seen.votes is None else [["table", _votes(words, seen)]],
    }
    if seen.stored is not None:
        whole = {"query": seen.query, "options": options[:WRITTEN], "answer": seen.stored}
        fixed |= {"now": {"fix": whole}, "shows": {"compared": _explanation(words, seen)}}
    return fixed


def form_part(words: Mapping[str, str], causes: Sequence[Option], language: str) -> dict[str, Any]:
    """Return the form as the viewer's data."""
    changes = [{"if": {"verdict": [Verdict.FIX, Verdict.DROP]}}]
    clause = [["verdict", Verdict.KEEP]]
    fields = {
        **_step_fields(words, Stage.ALONE, words["step_alone"]),
        **_step_fields(words, Stage.BOTH, words["clause_both"]),
        "stored_right": choice_field(
            words, "stored_right", (YES, NO, UNSURE), "right", clause=[words["clause_compared"]]
        ),
        "verdict": choice_field(words, "verdict", Verdict, "verdict"),
        "fix": edit_field(words, "fix", _parts(words), when=[{"if": {"verdict": ["fix"]}}]),
        CAUSE: cause_field(words, CAUSE, causes, language, when=changes),
        "reason": text_field(words, "reason", when=_reason_wanted(words)),
    }
    for name in ("verdict", "fix", CAUSE, "reason"):
        fields[name]["clause"] = [*clause, fields[name]["label"]]
    alone, both = ASKED[Stage.ALONE], ASKED[Stage.BOTH]
    last = ("stored_right", "verdict", "fix", CAUSE, "reason")
    return {
        "fields": fields,
        "confidence": "both_sure",
        "stages": [
            stage(words, "alone", alone, REVEALED, picks=alone[1], clause=[words["step_alone"]]),
            stage(words, "both", both, COMPARED, picks=both[1], clause=[words["clause_both"]]),
            stage(words, "compared", last, clause=[words["clause_compared"]]),
        ],
    }


def _step_fields(words: Mapping[str, str], step: Stage, clause: str) -> dict[str, Any]:
    """Return the fields of a step before the comparison: what is not answerable has no option."""
    answerable, choice, sure = ASKED[step]
    title = words[f"step_{step}"]
    numbers = [
        [at, str(at + 1), None, words["option_of"].format(number=at + 1)]
        for at in range(WRITTEN + 1)
    ]
    implies = {NO: {choice: ABSTENTION}}
    fields = {
        answerable: choice_field(words, answerable, (YES, NO), "answerable", implies=implies),
        choice: {"kind": "choice", "label": words[f"ask_{choice}"], "options": numbers},
        sure: choice_field(words, sure, SURE, "sure", shown=False),
    }
    for field in fields.values():
        field |= {"name": f"{title} · {field['label']}", "clause": [clause]}
    return fields


def _reason_wanted(words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return when a reason is wanted: kept against one's own answers, or another cause."""
    unsound = {
        "alone": {"alone_answerable": [YES]},
        "both": {"both_answerable": [NO]},
        "stored_no": {"stored_right": [NO]},
        "stored_unsure": {"stored_right": [UNSURE]},
    }
    kept = {"verdict": [Verdict.KEEP]}
    against = [
        {"if": {**kept, **each}, "because": words[f"conflict_{name}"]}
        for name, each in unsound.items()
    ]
    changed = {"verdict": [Verdict.FIX, Verdict.DROP]}
    return [*against, {"if": {**changed, CAUSE: [OTHER]}}]


def _parts(words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the parts of a correction."""
    options = {"name": "options", "label": words["fix_options"], "kind": "list", "max": 2000}
    return [
        {"name": "query", "label": words["fix_query"], "kind": "text", "rows": 4, "max": 4000},
        {**options, "right": "answer"},
    ]


def _options(words: Mapping[str, str], seen: McqView) -> dict[str, Any]:
    marks = [
        ["alone_choice", words["picked_alone"], "first"],
        ["both_choice", words["picked_both"], "second"],
    ]
    stored = {"stored": seen.stored, "storedWords": words["picked_stored"]}
    return {"options": list(seen.options), "marks": marks, **stored}


def _explanation(words: Mapping[str, str], seen: McqView) -> list[Any]:
    told = {"name": "explanation", "title": words["explanation"], "text": seen.explanation}
    return [["note", told]] if seen.explanation else []


def _law(words: Mapping[str, str], seen: McqView) -> dict[str, Any]:
    def part(name: str, passage: Passage) -> dict[str, Any]:
        named = {"letter": words[f"letter_{name}"], "title": words[f"provision_{name}"]}
        return {"unit": name, "head": passage.head, "pieces": [[passage.text, 0]], **named}

    units = [part("a", seen.a), *([] if seen.b is None else [part("b", seen.b)])]
    return {"apart": True, "units": units, "curtain": words["curtain"] if seen.b is None else None}


def _votes(words: Mapping[str, str], seen: McqView) -> dict[str, Any]:
    """Return a table of models' answers: the option of each repeat, per setting."""
    rows = [
        [each.model, *(_cell(words, each, name, seen.stored) for name in _SETTINGS)]
        for each in seen.votes or ()
    ]
    columns = [words[f"setting_{name}"] for name in _SETTINGS]
    told = {"name": "votes", "title": words["votes"], "none": words["votes_none"]}
    return {**told, "columns": columns, "rows": rows}


def _cell(
    words: Mapping[str, str], answers: ModelAnswers, setting: str, stored: int | None
) -> list[dict[str, str | None]]:
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


PAGE = TaskPage(Task.MCQ_SOLVABILITY, MCQ, fixed_part, stage_name, words=WORDS, form=form_part)


def render(context: Context) -> None:
    """Draw the page, with a link to the disputes for adjudicators."""
    PAGE.render(context)
    draw_link(context, Task.MCQ_SOLVABILITY)
