"""People of the sample project, and suggestions of what to try as each."""

from __future__ import annotations

from messages import say

SLUG = "sample"
TITLE = "Sample: Gaon fire safety"  # as it is kept; the catalogue shows it in the language chosen
PEOPLE = (
    ("Kim Ara", "annotator"),
    ("Park Jun", "annotator"),
    ("Choi Yuna", "administrator"),
    ("Lee Sora", "adjudicator"),
    ("Jung Haeun", "lawyer"),
)
RESEARCHER = ("Han Bora", "researcher")  # only in the project that is in the middle of its life
_TRY = {name: f"sample.try.{name.split()[1].lower()}" for name, _ in (*PEOPLE, RESEARCHER)}


def suggestion_key(project_slug: str, person: str) -> str | None:
    """Return the message key of what to try as this person of the sample; None for others."""
    return _TRY.get(person) if project_slug == SLUG else None


def shown_title(title: str, language: str) -> str:
    """Return a project's display title: the sample's own in `language`, others unchanged."""
    return say("sample.title", language) if title == TITLE else title
