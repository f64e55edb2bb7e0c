"""Registry of screens: which package has each.

A screen's address is its name; it is imported when it is opened.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

_ROOMS = {
    "start": ("start",),
    "overview": ("overview",),
    "mapping": ("citation_mapping",),
    "ocr": ("ocr_correction", "ocr_verification", "ocr_report"),
    "mcq": ("mcq_solvability", "mcq_report"),
    "curation": ("curation", "curation_report"),
    "judging": ("answer_rating", "judge_review", "judge_report"),
    "answers": ("answers", "answer_report"),
    "attribution": ("attribution_report", "attribution_review"),
    "tagging": ("factor_tagging", "factor_codebook", "factor_report"),
    "research": ("research",),
    "tasks": ("own_task",),
    "adjudication": ("adjudication",),
    "agreement": ("agreement",),
    "gold": ("gold",),
    "runs": ("leaderboard", "experiments"),
    "figures": ("figures",),
    "papers": ("papers",),
    "cases": ("court_cases", "case_groups"),
    "stricter": ("stricter_groups",),
    "law": ("corpus", "graph_report", "compare", "data"),
    "parallel": ("parallel_groups",),
    "augmentation": ("augment",),
    "cascade": ("cascade",),
    "closure": ("closure",),
    "audit": ("audit",),
    "downstream": ("downstream",),
    "reformulation": ("reformulation",),
    "batches": ("assignment",),
    "guidelines": ("guidelines",),
    "models": ("models",),
    "history": ("history",),
    "exchange": ("exchange",),
    "people": ("people", "roles"),
    "keys": ("keys",),
}
ROOM_OF = {screen: room for room, screens in _ROOMS.items() for screen in screens}


def screen(name: str) -> ModuleType:
    """Import the module of a screen, which has ``render(context)``: a room, or a module of one.

    Raises KeyError if there is no such screen.
    """
    room = import_module(f"pages.{ROOM_OF[name]}")
    return room if hasattr(room, "render") else import_module(f"{room.__name__}.{name}")
