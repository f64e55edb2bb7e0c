"""Curation: would a practitioner ask what a model wrote, and which provisions decide it?

Who annotates judges the question by itself, then with what the machine says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotation.curation.form import DIFFICULTY, GOLD, stage_of
from annotation.curation.state import CurationView, own_view
from annotation.work.queue_service import ItemView
from messages import catalogue, say
from pages.curation.acts import CURATION_ACTS
from pages.shell.bundle import STATUTE_TEXT
from pages.shell.context import Context
from pages.shell.plain_text import text_pieces
from pages.task.adjudication_link import draw_link
from pages.task.documents import options_of
from pages.task.page import TaskPage
from pages.task.viewer import ASK_SCRIPT, FORM_SCRIPTS, SEARCH, STEP_STYLES, Viewer
from storage.curation.questions import LayerLine, Provision
from storage.db.workspace import Workspace
from storage.tasks import Task

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
    """Return how much of the item is told."""
    return str(stage_of(item.answers, item.status == "submitted"))


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return question, answer, listed provisions and, once they are told, level and layers."""
    seen = own_view(ws, person_id, item)
    told = seen.layers is not None
    causes = options_of(ws, person_id, item.task, language)
    return {
        "stage": stage(item),
        "language": seen.language,
        "text": seen.text,
        "answer": seen.answer,
        "axes": list(axes_shown(seen)),
        "provisions": [provision_part(each) for each in seen.provisions if not each.added],
        "layers": None if seen.layers is None else [layer_part(e, language) for e in seen.layers],
        "target": seen.axes.get(DIFFICULTY, "") if told else "",
        "found": item.answers.get(DIFFICULTY, ""),
        "causes": [[cause.key, cause.label[language], cause.meaning[language]] for cause in causes],
    }


def moving_part(ws: Workspace, person_id: int, item: ItemView, _language: str) -> dict[str, Any]:
    """Return the person's own answers, and the provisions that they have added."""
    told: dict[str, Any] = {"answers": dict(item.answers), "added": []}
    if item.answers.get(GOLD):
        seen = own_view(ws, person_id, item)
        told["added"] = [provision_part(each) for each in seen.provisions if each.added]
    return told


def axes_shown(seen: CurationView) -> Iterator[tuple[str, str]]:
    """Yield what a question was written for: axis and value, its facets each under its name."""
    for name, value in seen.axes.items():
        if isinstance(value, Mapping):
            yield from ((facet, str(said)) for facet, said in value.items() if said)
        elif value:
            yield name, str(value)


def provision_part(provision: Provision) -> dict[str, Any]:
    """Return a provision as the viewer is told of it, what matters in it marked."""
    return {
        "unit": provision.unit,
        "head": provision.head,
        "pieces": text_pieces(provision.text, (), provision.spans),
        "roles": list(provision.roles),
        "missing": provision.number is None,
        "added": provision.added,
        "language": provision.language,
    }


def layer_part(line: LayerLine, language: str) -> dict[str, Any]:
    """Return what a layer said, in words where there are some for it."""
    return {
        "name": _called(f"cascade.layer.{line.layer}", line.layer, language),
        "outcome": line.outcome,
        "reasons": [reason_words(each, language) for each in line.reasons],
        "restored": line.restored,
    }


def reason_words(reason: Mapping[str, Any], language: str) -> str:
    """Return what a layer found: the words of its code, else the code, and its values."""
    code, values = str(reason.get("code", "")), dict(reason.get("values") or {})
    key = f"cascade.reason.{code}"
    plain = {name: _plain(value, language) for name, value in sorted(values.items())}
    if "{" in catalogue().get(key, {}).get(language, ""):
        try:  # numbers stay numbers: the words say how they are written
            return say(
                key, language, **{n: v if _counts(v) else plain[n] for n, v in values.items()}
            )
        except (KeyError, ValueError):  # of another version of the layers
            pass
    said = ", ".join(f"{name}: {value}" for name, value in plain.items())
    words = _called(key, code.replace("_", " "), language)
    return f"{words} ({said})" if said else words


def _counts(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _plain(value: Any, language: str) -> str:
    if isinstance(value, bool):
        return say(f"curation.ui.says_{'yes' if value else 'no'}", language)
    listed = isinstance(value, Iterable) and not isinstance(value, (str, Mapping))
    return ", ".join(map(str, value)) if listed else str(value)


def _called(key: str, otherwise: str, language: str) -> str:
    entry = catalogue().get(key)
    return otherwise if entry is None or "{" in entry[language] else say(key, language)


PAGE = TaskPage(Task.CURATION, CURATION, fixed_part, stage, acts=CURATION_ACTS, moving=moving_part)


def render(context: Context) -> None:
    """Draw the desk, and lead an adjudicator to the disputes."""
    PAGE.render(context)
    draw_link(context, Task.CURATION)
