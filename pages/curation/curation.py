"""Page of curation: is an LLM-written question realistic, and which provisions decide it?

Annotators judge the question alone first, then with the machine's findings.

Act specific to curation: search for a provision.

Adjudication pane of curation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.curation.state import (
    ALONE_FIELDS,
    CAUSE,
    CRITERIA,
    DIFFICULTY,
    EDIT,
    GOLD,
    SPEC,
    CurationView,
    Verdict,
    names_shown,
    own_view,
)
from annotation.forms.disputes import FormDisputeView
from annotation.guidelines.codebook_tree import Option
from annotation.tasks.spec import NO, YES
from annotation.work.queue_service import ItemView
from pages.shell.context import Context
from pages.shell.plain_text import text_pieces
from pages.task.declared import WORDS, conditions, declared_viewer, form_data, stage_of
from pages.task.declared_pane import DeclaredPane, form_of
from pages.task.generated_words import axes_named, finding_words, layer_name, role_name
from pages.task.page import TaskPage, draw_link
from pages.task.unit_search import SEARCH_ACTS
from pages.task.viewer import ui_words
from storage.cascade.names import Names
from storage.curation import LayerLine, Provision
from storage.db.workspace import Workspace
from storage.tasks import Task

CURATION = declared_viewer("curation")


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return question, answer, provisions and, once revealed, difficulty and layers."""
    seen, names = own_view(ws, person_id, item), names_shown(ws, person_id)
    shown = question_panes(seen, names, language, item.answers.get(DIFFICULTY, ""))
    shown["law"]["units"] = [each for each in shown["law"]["units"] if not each["added"]]
    return shown


def question_panes(
    seen: CurationView, names: Names, language: str, found: str = ""
) -> dict[str, Any]:
    """Return a question's visible parts as panes; `found` is the difficulty the reader chose."""
    words = ui_words("curation", language, *WORDS)
    texts = [
        {"name": "question", "title": words["question"], "text": seen.text},
        {"name": "official", "title": words["answer"], "text": seen.answer, "quiet": True},
    ]
    axes = list(axes_named(seen.axes, names, language))
    told = [["findings", _layers(words, seen, names, language, found)]]
    return {
        "language": seen.language,
        "now": {EDIT: {"question": seen.text, "answer": seen.answer}},
        "shows": {"told": [] if seen.layers is None else told},
        "panes": [
            ["texts", texts],
            ["chips", {"name": "axes", "title": words["axes"], "chips": axes}],
        ],
        "law": {
            "title": words["provisions"],
            "units": [provision_part(each, names, language) for each in seen.provisions],
            "search": True,
        },
    }


def form_part(words: Mapping[str, str], causes: Sequence[Option], language: str) -> dict[str, Any]:
    """Return the form as the viewer's data."""
    alone = words["step_alone"]
    own: dict[str, dict[str, Any]] = {
        name: {"clause": [words[f"ask_{name}"], alone]} for name in ALONE_FIELDS
    }
    for name in CRITERIA:
        own[name]["short"] = words[f"ask_{name}"].removesuffix("?")
    for name in ("verdict", EDIT, CAUSE, "reason"):
        own[name] = {"clause": [["verdict", Verdict.KEEP]]}
    own["reason"]["needs"] = _reason_wanted(words)
    own[GOLD] = {
        "when": [{"unless": {"verdict": [Verdict.REJECT]}}],  # asked before the verdict
        "least": {"value": YES, "words": words["none_belongs"]},
        "clause": [words["ask_gold"]],
    }
    stems = {**dict.fromkeys(CRITERIA, "says"), GOLD: "belongs"}
    return form_data(SPEC, words, causes, language, stems, own)


def _reason_wanted(words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return when a reason is wanted: kept although it fails a criterion, or another cause."""
    against = [
        conditions(
            {"verdict": [Verdict.KEEP], name: [NO]},
            f"{words[f'ask_{name}']} {words['says_no']}",
        )
        for name in CRITERIA
    ]
    return [*against, conditions(SPEC.fields["reason"].required_when)]


def _layers(
    words: Mapping[str, str], seen: CurationView, names: Names, language: str, found: str
) -> dict[str, Any]:
    """Return the layers' findings, with the difficulty aimed at and the one the reader `found`."""
    target = seen.axes.get(DIFFICULTY, "")
    rows = []
    for line in seen.layers or ():
        part = layer_part(line, names, language)
        restored = part["restored"]
        reasons = [
            *part["reasons"],
            *([] if restored is None else [words["restored"].format(reason=restored)]),
        ]
        outcome = words[f"layer_{part['outcome']}"]
        row = {"name": part["name"], "tone": part["outcome"], "outcome": outcome}
        rows.append({**row, "reasons": reasons})
    return {
        "name": "layers",
        "title": words["layers"],
        "none": words["layers_none"],
        "lead": words["target"].format(level=target, found=found) if target else None,
        "rows": rows,
    }


def moving_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the person's own answers, and the provisions that they added."""
    told: dict[str, Any] = {"answers": dict(item.answers), "added": []}
    if item.answers.get(GOLD):
        seen = own_view(ws, person_id, item)
        names = names_shown(ws, person_id)
        added = [each for each in seen.provisions if each.added]
        told["added"] = [provision_part(each, names, language) for each in added]
    return told


def provision_part(provision: Provision, names: Names, language: str) -> dict[str, Any]:
    """Return the viewer data of a provision, with its relevant spans marked."""
    return {
        "unit": provision.unit,
        "head": provision.head,
        "pieces": text_pieces(provision.text, (), provision.spans),
        "roles": [role_name(role, names, language) for role in provision.roles],
        "missing": provision.number is None,
        "added": provision.added,
        "language": provision.language,
    }


def layer_part(line: LayerLine, names: Names, language: str) -> dict[str, Any]:
    """Return a filter layer's outcome and reasons, as text where the catalogue has it."""
    return {
        "name": layer_name(line.layer, language),
        "outcome": line.outcome,
        "reasons": [finding_words(each, names, language) for each in line.reasons],
        "restored": line.restored,
    }


PAGE = TaskPage(
    Task.CURATION,
    CURATION,
    fixed_part,
    stage_of(SPEC),
    acts=SEARCH_ACTS,
    moving=moving_part,
    words=WORDS,
    form=form_part,
)


def render(context: Context) -> None:
    """Draw the page, with a link to the disputes for adjudicators."""
    PAGE.render(context)
    draw_link(context, Task.CURATION)


def _case_panes(context: Context, case: FormDisputeView) -> dict[str, Any]:
    """Return the panes of the disputed question."""
    names = names_shown(context.workspace, context.person.id)
    return question_panes(case.question, names, context.language)


PANE = DeclaredPane(Task.CURATION, SPEC, "curation_settle", form_of(PAGE), _case_panes)
