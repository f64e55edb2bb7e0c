"""Who may do what: the one table of roles and acts, asked wherever the work is done.

`annotation.people.authorization.require` asks it inside the transaction that does the work; screens
ask `may` only to decide what to draw. `docs/roles.md` and the page Roles are made from the same
table.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Role(StrEnum):
    """What a person is in a project; one at a time."""

    ANNOTATOR = "annotator"
    LAWYER = "lawyer"  # an annotator who is an expert of the field
    ADJUDICATOR = "adjudicator"
    RESEARCHER = "researcher"
    ADMINISTRATOR = "administrator"


class Act(StrEnum):
    """What somebody can do in a project."""

    ANNOTATE = "annotate"
    COMMENT = "comment"
    READ_LAW = "read_law"
    ADJUDICATE = "adjudicate"
    GIVE_BACK = "give_back"
    READ_OTHERS_LABELS = "read_others_labels"
    SEE_AGREEMENT = "see_agreement"
    SEE_GOLD = "see_gold"
    SEE_SCORES = "see_scores"
    EXPORT_GOLD = "export_gold"
    EXPORT_HISTORY = "export_history"
    RUN_RETRIEVAL = "run_retrieval"
    SET_LEVELS = "set_levels"
    IMPORT_LAW = "import_law"
    IMPORT_QUESTIONS = "import_questions"
    IMPORT_LABELS = "import_labels"
    BUILD_CANDIDATES = "build_candidates"
    MAKE_ITEMS = "make_items"
    REVIEW_JUDGE = "review_judge"
    ASSIGN = "assign"
    EDIT_GUIDELINES = "edit_guidelines"
    MANAGE_PEOPLE = "manage_people"


_EVERYBODY = frozenset(Role)
_WORKERS = frozenset({Role.ANNOTATOR, Role.LAWYER})
_SIGHTED = frozenset({Role.ADJUDICATOR, Role.RESEARCHER, Role.ADMINISTRATOR})
_LEADS = frozenset({Role.RESEARCHER, Role.ADMINISTRATOR})

# Whoever reads others' labels does not annotate: that is what keeps double annotation blind.
# A score opens the gold behind it, so scores are theirs too.
MAY: Mapping[Act, frozenset[Role]] = MappingProxyType(
    {
        Act.ANNOTATE: _WORKERS,
        Act.COMMENT: _EVERYBODY,
        Act.READ_LAW: _EVERYBODY,
        Act.ADJUDICATE: frozenset({Role.ADJUDICATOR}),
        Act.GIVE_BACK: _SIGHTED,  # a lead, too: a project may have no adjudicator
        Act.READ_OTHERS_LABELS: _SIGHTED,
        Act.SEE_AGREEMENT: _EVERYBODY,
        Act.SEE_GOLD: _EVERYBODY,
        Act.SEE_SCORES: _SIGHTED,
        Act.EXPORT_GOLD: _SIGHTED,
        Act.EXPORT_HISTORY: _SIGHTED,
        Act.RUN_RETRIEVAL: _SIGHTED,
        Act.SET_LEVELS: _LEADS,
        Act.IMPORT_LAW: _LEADS,
        Act.IMPORT_QUESTIONS: _LEADS,
        Act.IMPORT_LABELS: _LEADS,
        Act.BUILD_CANDIDATES: _LEADS,
        Act.MAKE_ITEMS: _LEADS,
        Act.REVIEW_JUDGE: frozenset({Role.ADJUDICATOR, Role.RESEARCHER}),
        Act.ASSIGN: _LEADS,
        Act.EDIT_GUIDELINES: _SIGHTED,
        Act.MANAGE_PEOPLE: frozenset({Role.ADMINISTRATOR}),
    }
)


def may(role: str, act: Act) -> bool:
    """Return whether somebody of that role may do this; an unknown role may do nothing."""
    return role in MAY[act]


def who_may(act: Act) -> tuple[Role, ...]:
    """Return the roles that may do this, in the order of :class:`Role`."""
    return tuple(role for role in Role if role in MAY[act])
