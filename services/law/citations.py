"""Citations of any text resolved against the law in use, with the reason for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corpus.citations.antecedents import defined_in
from corpus.citations.find import find
from corpus.citations.model import NameKind, Resolution, Status, family, normal
from corpus.citations.resolve import Segment, annotate, resolve
from corpus.limits import OFFICIAL_ANSWER, within
from errors import UserError, Where
from messages import catalogue as words
from messages import say
from services.law.overview import current_snapshot
from storage.db.workspace import Workspace
from storage.law.catalogues import catalogue
from storage.law.former_law import with_snapshots

_BACK = (NameKind.SAME, NameKind.LEVEL)
_BESIDE = (NameKind.SAME_PLACE, NameKind.RELATIVE)


@dataclass(frozen=True, slots=True)
class ReadCitation:
    """A citation of a text with its resolution in the law in use.

    `step` is how its instrument was found, a key below ``citation_reading.step``, "" where it was
    not; `params` are the parameters of that message.
    """

    resolution: Resolution
    step: str
    params: dict[str, str]

    def why(self, language: str = "en") -> str:
        """Explain how the instrument was found, and which units are meant or why none is."""
        found = self.resolution
        title = found.instrument_title or found.citation.text
        step = ""
        if self.step:
            step = say(f"citation_reading.step.{self.step}", language, **self.params)
        if found.status is not Status.RESOLVED:
            said = found.reason, found.status, title, len(found.unit_ids)
            return f"{step} {reason_words(*said, language, found.kept_in)}".strip()
        units = list(dict.fromkeys(each.unit_id for each in found.targets))
        told = {"count": len(units), "units": ", ".join(units)}
        return f"{step} {say('citation_reading.meant', language, **told)}"

    def as_dict(self, language: str = "en") -> dict[str, Any]:
        """Return it as JSON values."""
        found = self.resolution
        return {
            "text": found.citation.text,
            "start": found.citation.start,
            "end": found.citation.end,
            "status": str(found.status),
            "reason": found.reason and str(found.reason),
            "instrument": found.instrument_title,
            "targets": [
                {"unit": each.unit_id, "pinpoint": each.pinpoint} for each in found.targets
            ],
            "candidates": list(found.unit_ids),
            "why": self.why(language),
        }


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text in segments, one per citation and one per stretch between them."""

    citations: tuple[ReadCitation, ...]
    segments: tuple[Segment, ...]


def read_citations(
    ws: Workspace, project_slug: str, text: str, by: int | None = None, name: str = ""
) -> ReadText:
    """Find and resolve every citation of a text in the law the project uses.

    `name` stands for the text in errors. Raises UserError for a blank or too long text, an unknown
    project, one without law, and for `by` (None: the operator) of another project.
    """
    at = Where(name or None)
    if not text.strip():
        raise UserError("citations_no_text", at)
    within(text, OFFICIAL_ANSWER, at)
    snapshot = current_snapshot(ws, project_slug, by)
    known = catalogue(ws, snapshot.id)
    found = with_snapshots(ws, snapshot.id, known, resolve(find(text), text, known))
    read = (ReadCitation(each, *_step(each, found[:at], text)) for at, each in enumerate(found))
    return ReadText(tuple(read), tuple(annotate(text, found)))


def reason_words(
    reason: object,
    status: object,
    title: str,
    count: int,
    language: str = "en",
    kept_in: str = "",
) -> str:
    """Explain why a citation is not resolved, or that it is; `kept_in` names a snapshot."""
    key = f"mapping.reason.{reason or status}" + ("_kept" if kept_in else "")
    key = key if key in words() else f"mapping.reason.{status}"
    return say(key, language, title=title, count=count, snapshot=kept_in)


def _step(
    resolution: Resolution, earlier: Sequence[Resolution], text: str
) -> tuple[str, dict[str, str]]:
    """Return how a citation's instrument was found, as a message key or "", with parameters."""
    mention, title = resolution.citation.mention, resolution.instrument_title
    if title is None:
        return "", {}
    params = {"words": mention.text or resolution.citation.text, "title": title}
    name = mention.name or mention.text
    if mention.kind is NameKind.CONTINUED or mention.kind in _BESIDE:
        before = earlier[-1].citation.text if earlier else ""
        return str(mention.kind), params | {"before": before}
    if defined := defined_in(text, family(name).base or name, resolution.citation.start):
        return "defined", params | {"before": defined}
    if mention.kind in _BACK:
        base, titled = family(title).base, [each for each in earlier if each.instrument_title]
        named = [each for each in titled if family(each.instrument_title or "").base == base]
        step = "points_back" if named else "family"
        return step, params | {"before": named[-1].citation.text if named else ""}
    if mention.kind in (NameKind.NONE, NameKind.PART):
        return "alone", params
    if normal(name) == normal(title):
        return "title", params
    if resolution.status is not Status.RESOLVED:
        return "", {}  # the title is then another's, such as that of a successor
    return ("code" if mention.code else "short_name"), params
