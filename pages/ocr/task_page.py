"""The two OCR tasks: page viewer, its data, acts, formula rendering."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from annotation.ocr.forms import correction_shown, send_back
from annotation.work.queue_service import ItemView, open_item
from errors import UserError
from messages import say
from pages.shell.bundle import DIFF, OFFSETS
from pages.shell.context import Context
from pages.task.acts import Act, TaskSession, expected, leave
from pages.task.page import TaskPage
from pages.task.viewer import FORM_SCRIPTS, Viewer
from services.ocr.publishing import PageView, image_of, page_view
from services.ocr.tesseract import read_region
from storage.db.workspace import Workspace
from storage.tasks import Task

_VENDOR = Path(__file__).parent / "vendor"
_KEY = "formulas"
_ENTRY = """
window.dispatchEvent(new Event("touchstone-formulas"));
export default () => {};
"""
_SCRIPTS = (
    "icons",
    "texts",
    "grid",
    "blocks",
    "field",
    "doubts",
    "formula",
    "image",
    "region",
    "table_tools",
    "table",
    "card",
    "editor",
    "again",
    "keys",
    "viewer",
    "mount",
)
_STYLES = ("panes", "text", "table")

OCR = Viewer(
    name="ocr",
    scripts=(*FORM_SCRIPTS, DIFF, OFFSETS, *(f"ocr/frontend/{name}" for name in _SCRIPTS)),
    styles=tuple(f"ocr/frontend/{name}" for name in _STYLES),
)


def place_formulas() -> None:
    """Load formula rendering into the page; draws nothing itself.

    KaTeX is a quarter of a megabyte and is sent with every drawing of the component that holds it,
    so it is a component of its own: draw it outside of any fragment. It produces MathML, which
    browsers render themselves, and builds it node by node: nothing of a formula is read as HTML.
    """
    st.html(f"<style>.st-key-{_KEY} {{ display: none; }}</style>")
    with st.container(key=_KEY):
        _component()(key=f"{_KEY}-maker")


def script() -> str:
    """Return KaTeX as its authors publish it."""
    return (_VENDOR / "katex.min.js").read_text(encoding="utf-8")


@cache
def _component() -> ComponentRenderer:
    """Register the component that draws formulas."""
    return st.components.v2.component("touchstone_formulas", js=script() + _ENTRY)


def page_part(
    ws: Workspace, project: str, person_id: int, item: ItemView, language: str
) -> dict[str, Any]:
    """Return an item's page: image, initial text, and the texts it is compared to.

    Correction starts from an engine's draft, verification from the correction.
    """
    page = page_view(ws, item.subject_id, item.shown.get("draft"))
    draft = [{**block, "from": number} for number, block in enumerate(page.blocks)]
    told: dict[str, Any] = {
        "title": item.title,
        "blocks": draft,
        "bases": [{"name": "draft", "blocks": draft}],
        "places": [[word[0], list(word[1:5])] for word in page.words],
        "compare": False,
        "verifying": False,
        "source": say("ocr.source_draft" if page.blocks else "ocr.source_none", language),
        "canRead": True,
        **_image(ws, project, person_id, page, language),
    }
    if item.task == Task.OCR_VERIFICATION:
        blocks = correction_shown(ws, person_id, item.shown)
        told["bases"].append({"name": "correction", "blocks": blocks})  # whose changes are shown
        told |= {"blocks": blocks, "compare": True, "verifying": True}
        told["source"] = say("ocr.source_corrected", language)
    return told


def region_part(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Run OCR on a region of the open page again and send the result to the viewer."""
    page_id = open_item(ws, session.person_id, act["item"], session.task).subject_id
    box = [int(edge) for edge in act["box"]]
    blocks = read_region(ws, session.project, page_id, box, session.person_id)
    session.told["region"] = {"blocks": blocks}


def send_back_part(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Send the open page back to its corrector, and go to the next."""
    where = ws, session.person_id, act["item"]
    send_back(*where, str(act["reason"]), expected(session, act))
    leave(ws, session, act, "sent_back")


def _image(
    ws: Workspace, project: str, person_id: int, page: PageView, language: str
) -> dict[str, Any]:
    """Return the image as a data URL (so that no address serves it to others), or the problem."""
    try:
        kind, content = image_of(ws, project, page.page_id, person_id)
    except UserError as error:
        return {"image": None, "problem": f"{error.what(language)} {error.remedy(language)}"}
    source = f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"
    return {"image": {"src": source, "width": page.width, "height": page.height}, "problem": ""}


def render_pages(context: Context, task: Task) -> None:
    """Draw the screen of an OCR task."""

    def fixed(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
        """Return the parts of an item that do not change."""
        return page_part(ws, context.project, person_id, item, language)

    place_formulas()
    verifying = task == Task.OCR_VERIFICATION
    page = TaskPage(
        task,
        OCR,
        fixed,
        acts={"region": region_part, **({"send_back": send_back_part} if verifying else {})},
        words=("ocr_verification",) if verifying else (),
    )
    page.render(context)
