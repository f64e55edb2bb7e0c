"""Registry of screens: where each stands in the sidebar, who sees it, and which package has it.

A screen's address is its name; it is imported when it is opened.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from annotation.people.roles import Act


class Screen(NamedTuple):
    """A screen: a tab of a place in a section of the sidebar; `act` is what who sees it may do.

    `room` is the package, or the module, that has it.
    """

    section: str
    place: str
    icon: str
    room: str
    act: Act | None = None


_READ = Act.READ_OTHERS_LABELS
SCREENS = {
    "overview": Screen("", "overview", "monitoring", "overview", _READ),
    "start": Screen("", "start", "home", "start"),
    "own_task": Screen("", "start", "assignment", "tasks", Act.ANNOTATE),
    "keys": Screen("", "start", "keyboard", "keys"),
    "citation_mapping": Screen("review", "mapping", "fact_check", "mapping", Act.ANNOTATE),
    "ocr_correction": Screen("review", "ocr", "document_scanner", "ocr", Act.ANNOTATE),
    "ocr_verification": Screen("review", "ocr", "task", "ocr", Act.ANNOTATE),
    "ocr_report": Screen("review", "ocr", "spellcheck", "ocr", _READ),
    "mcq_solvability": Screen("review", "mcq", "quiz", "mcq", Act.ANNOTATE),
    "mcq_report": Screen("review", "mcq", "filter_alt", "mcq", _READ),
    "reformulation": Screen("review", "mcq", "call_split", "reformulation", Act.MAKE_ITEMS),
    "curation": Screen("review", "questions", "rule_folder", "curation", Act.ANNOTATE),
    "augment": Screen("review", "questions", "auto_awesome", "augmentation", Act.MAKE_ITEMS),
    "cascade": Screen("review", "questions", "stairs_2", "cascade", _READ),
    "curation_report": Screen("review", "questions", "playlist_add_check", "curation", _READ),
    "answer_rating": Screen("review", "answers", "thumbs_up_down", "judging", Act.ANNOTATE),
    "answer_report": Screen("review", "answers", "reviews", "answers", _READ),
    "answers": Screen("review", "answers", "forum", "answers", _READ),
    "judge_review": Screen("review", "answers", "compare_arrows", "judging", Act.REVIEW_JUDGE),
    "attribution_review": Screen("review", "answers", "account_tree", "attribution"),
    "judge_report": Screen("review", "answers", "scale", "judging", _READ),
    "attribution_report": Screen("review", "answers", "link", "attribution", Act.SEE_SCORES),
    "downstream": Screen("review", "answers", "trending_up", "downstream", _READ),
    "factor_tagging": Screen("review", "cases", "label", "tagging", Act.ANNOTATE),
    "court_cases": Screen("review", "cases", "account_balance", "cases"),
    "case_groups": Screen("review", "cases", "category", "cases"),
    "stricter_groups": Screen("review", "cases", "join_inner", "stricter", _READ),
    "factor_codebook": Screen("review", "cases", "checklist", "tagging"),
    "factor_report": Screen("review", "cases", "labs", "tagging", _READ),
    "research": Screen("review", "research", "travel_explore", "research"),
    "adjudication": Screen("review", "adjudication", "gavel", "adjudication", Act.GIVE_BACK),
    "agreement": Screen("results", "agreement", "balance", "agreement"),
    "gold": Screen("results", "gold", "verified", "gold"),
    "closure": Screen("results", "gold", "playlist_add_check", "closure", _READ),
    "audit": Screen("results", "gold", "troubleshoot", "audit", Act.EXPORT_GOLD),
    "leaderboard": Screen("results", "leaderboard", "leaderboard", "runs", Act.SEE_SCORES),
    "experiments": Screen("results", "leaderboard", "science", "runs", Act.SEE_SCORES),
    "figures": Screen("results", "leaderboard", "insert_chart", "figures", Act.SEE_SCORES),
    "papers": Screen("results", "leaderboard", "article", "papers", Act.SEE_SCORES),
    "corpus": Screen("law", "corpus", "menu_book", "law"),
    "graph_report": Screen("law", "corpus", "hub", "law"),
    "compare": Screen("law", "corpus", "difference", "law"),
    "parallel_groups": Screen("law", "corpus", "view_column", "parallel"),
    "data": Screen("project", "data", "database", "law"),
    "exchange": Screen("project", "data", "swap_horiz", "exchange", Act.IMPORT_LABELS),
    "assignment": Screen("project", "assignment", "assignment_ind", "batches", _READ),
    "guidelines": Screen("project", "guidelines", "rule", "guidelines"),
    "models": Screen("project", "models", "smart_toy", "models", Act.MAKE_ITEMS),
    "people": Screen("project", "people", "group", "people", Act.MANAGE_PEOPLE),
    "roles": Screen("project", "people", "badge", "people"),
    "history": Screen("project", "history", "history", "history"),
}


def screen(name: str) -> ModuleType:
    """Import the module of a screen, which has ``render(context)``: a room, or a module of one.

    Raises KeyError if there is no such screen.
    """
    room = import_module(f"pages.{SCREENS[name].room}")
    return room if hasattr(room, "render") else import_module(f"{room.__name__}.{name}")
