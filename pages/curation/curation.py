"""Page of curation: is an LLM-written question realistic, and which provisions decide it?

Annotators judge the question alone first, then with the machine's findings.

Act specific to curation: search for a provision.
"""

from __future__ import annotations

from typing import Any

from annotation.curation.form import DIFFICULTY, GOLD, stage_of
from annotation.curation.state import names_shown, own_view
from annotation.work import queue_service
from annotation.work.queue_service import ItemView
from annotation.work.submissions import beginning
from messages import say
from pages.shell.bundle import STATUTE_TEXT
from pages.shell.context import Context
from pages.shell.plain_text import text_pieces
from pages.task.acts import Act, Handlers, TaskSession
from pages.task.documents import options_of
from pages.task.generated_words import axes_named, layer_name, reason_said, role_name
from pages.task.page import TaskPage, draw_link
from pages.task.viewer import ASK_SCRIPT, FORM_SCRIPTS, SEARCH, STEP_STYLES, Viewer
from storage.cascade.names import Names
from storage.curation.questions import LayerLine, Provision
from storage.db.workspace import Workspace
from storage.tasks import Task

SEARCH_HITS = 12
QUERY_LIMIT = 200
_SNIPPET = 140


def _search(ws: Workspace, session: TaskSession, act: Act) -> None:
    # Imported here because it loads the search engine, which opening an item can do without.
    from services.runs.methods.unit_search import search_units

    query = str(act["query"])[:QUERY_LIMIT]
    item = queue_service.open_item(ws, session.person_id, act["item"], session.task)
    rows = [
        {
            "unit": hit.semantic_id,
            "statute": hit.statute,
            "label": hit.label,
            "heading": hit.heading,
            "tierName": say(f"mapping.tier.{int(hit.tier)}", session.language),
            "snippet": beginning(" ".join(hit.text[: 2 * _SNIPPET].split()), _SNIPPET),
        }
        for hit in search_units(ws, item.snapshot_id, query, SEARCH_HITS)
    ]
    session.told["found"] = {"query": query, "hits": rows}


CURATION_ACTS: Handlers = {"search": _search}


_SCRIPTS = ("provisions", "asked", "edit", "steps", "keys", "viewer", "mount")

CURATION = Viewer(
    name="curation",
    scripts=(
        *FORM_SCRIPTS,
        STATUTE_TEXT,
        ASK_SCRIPT,
        SEARCH,
        *(f"curation/frontend/{name}" for name in _SCRIPTS),
    ),
    styles=(*STEP_STYLES, SEARCH, "curation/frontend/curation"),
)


def stage(item: ItemView) -> str:
    """Return the item's stage: how much of it is revealed."""
    return str(stage_of(item.answers, item.status == "submitted"))


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return question, answer, provisions and, once revealed, difficulty and layers."""
    seen = own_view(ws, person_id, item)
    told = seen.layers is not None
    causes = options_of(ws, person_id, item.task, language)
    names, listed = names_shown(ws, person_id), [e for e in seen.provisions if not e.added]
    return {
        "stage": stage(item),
        "language": seen.language,
        "text": seen.text,
        "answer": seen.answer,
        "axes": list(axes_named(seen.axes, names, language)),
        "provisions": [provision_part(each, names, language) for each in listed],
        "layers": None
        if seen.layers is None
        else [layer_part(each, names, language) for each in seen.layers],
        "target": seen.axes.get(DIFFICULTY, "") if told else "",
        "found": item.answers.get(DIFFICULTY, ""),
        "causes": [[cause.key, cause.label[language], cause.meaning[language]] for cause in causes],
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
        "reasons": [reason_said(each, names, language) for each in line.reasons],
        "restored": line.restored,
    }


PAGE = TaskPage(Task.CURATION, CURATION, fixed_part, stage, acts=CURATION_ACTS, moving=moving_part)


def render(context: Context) -> None:
    """Draw the page, with a link to the disputes for adjudicators."""
    PAGE.render(context)
    draw_link(context, Task.CURATION)
