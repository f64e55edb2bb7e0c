"""Texts of history entries: kind, person, and details.

Known fields and values use the catalogue's words; people's texts and ids are unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from annotation.history.entry import Entry
from annotation.ocr.blocks import is_block, texts
from annotation.work.submissions import TOOLS
from messages import catalogue

NOTHING = "–"
_DECISION = "history.value.decision"
_VALUES = {  # field → message group of its values
    "answers": _DECISION,
    "carried": _DECISION,
    "decision": _DECISION,
    "labels": _DECISION,
    "becomes": "history.value.becomes",
    "document": "history.value.document",
    "kind": "history.value.document",
    "keys": "keys.action",
    "language": "history.value.language",
    "levels": "levels.many",
    "split_by": "split.ways",
    "sequence": "assignment.orders",
    "suggestions": "factor_report.setting",
}
_HASHES = ("content_hash", "gold_hash")
_DIGITS = 12  # digits shown of a hash
_ROLES = ("person.added", "person.role")  # kinds whose before and after are roles, not names

Say = Callable[[str], str]


def in_words(say: Say, entry: Entry) -> list[str]:
    """Return a line per detail of the entry, in order: ``Reason: clear``.

    Known fields and values use the catalogue's names, others are unchanged. A value is looked up by
    its field only, so that people's texts are never replaced. Page blocks are shown as text, runs
    by their distinguishing parts, snapshots by number and hashes by their first digits; the rest is
    in the export. Empty values are left out, except in drafts, where a text was removed.
    """
    return [
        f"{_catalogue_name(say, 'history.field', field)}: {told}"
        for field, told in _detail_texts(say, entry)
        if told != NOTHING or entry.kind.startswith("draft.")
    ]


def _detail_texts(say: Say, entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the field and text of each detail; a run's method and parameters as one."""
    details = dict(entry.details)
    if entry.kind == "run.kept" and "method" in details:
        yield "run", _run_text(entry.key, details.pop("method"), details.pop("params", None) or {})
    for field, value in details.items():
        if field == "snapshot" and entry.snapshot_id is not None:
            yield field, f"{say('history.value.snapshot')} {entry.snapshot_id}"
        elif field == "imported" and isinstance(value, Mapping):
            yield field, _origin_text(value)
        elif field in _HASHES and isinstance(value, str):
            yield field, value[:_DIGITS] or NOTHING
        else:
            yield field, _value_text(say, _group(entry.kind, field), value)


def _run_text(key: str, method: str, params: Mapping[str, Any]) -> str:
    """Return a run's number and method, without default parameters."""
    from retrieval.core.presets import describe

    spec = {name: value for name, value in params.items() if not name.startswith("run_")}
    return f"{key.rpartition('-')[2]} · {describe({'method': method, **spec})}"


def _origin_text(origin: Mapping[str, Any]) -> str:
    """Return the file, tool and day of an answer given in another tool."""
    file, tool = origin.get("file"), str(origin.get("tool", ""))
    named = TOOLS.get(tool, tool)
    day = str(origin.get("made_at") or "")[:10]
    return ", ".join(filter(None, (f"{file} ({named})" if file else named, day))) or NOTHING


def _group(kind: str, field: str) -> str | None:
    """Return the message group of a field's values, None if they are plain."""
    if field in ("before", "after"):
        return "roles.role" if kind in _ROLES else None
    return _VALUES.get(field)


def _value_text(say: Say, group: str | None, value: Any) -> str:
    """Return a value of the details in words."""
    if value is None or value in ("", [], {}):
        return NOTHING
    if isinstance(value, bool):
        return say("history.yes.yes" if value else "history.yes.no")
    if is_block(value):
        return " / ".join(" ".join(text.split()) for text in texts(value) if text.strip())
    if isinstance(value, Mapping):
        gone = "again" if group == _DECISION else None  # an answer migrated to none is given again
        said = {name: gone if each is None else each for name, each in value.items()}
        return ", ".join(
            f"{_catalogue_name(say, group, str(name))} = {_nested_text(say, group, each)}"
            for name, each in said.items()
        )
    if isinstance(value, list):
        return ", ".join(_nested_text(say, group, each) for each in value)
    return _catalogue_name(say, group, str(value))


def _nested_text(say: Say, group: str | None, value: Any) -> str:
    """Return a nested value, in brackets if it has parts of its own."""
    told = _value_text(say, group, value)
    whole = not value or not isinstance(value, Mapping) or is_block(value)
    return told if whole else f"({told})"


def _catalogue_name(say: Say, group: str | None, name: str) -> str:
    """Return the display name from the catalogue; without one, the name."""
    key = f"{group}.{name}"
    return say(key) if group is not None and key in catalogue() else name


def what_in_words(say: Say, entry: Entry) -> str:
    """Return the kind of act, e.g. ``Batch · questions added``."""
    family, _, kind = entry.kind.partition(".")
    said = say(f"history.family.{family}")
    keys = kind_keys(entry.kind, entry.details)
    key = next((key for key in keys if key in catalogue()), None)
    return f"{said} · {say(key) if key else kind}"


def kind_keys(kind: str, details: Mapping[str, Any]) -> list[str]:
    """Return the message keys for a kind of entry, most specific first.

    Adding and removing share a kind; the details tell which.
    """
    family, _, name = kind.partition(".")
    ways = [f"history.kind.{kind}_{way}" for way in ("added", "removed") if way in details]
    return [*ways, f"history.kind.{kind}", f"{family}.kind.{name}", f"people.kind.{name}"]


def who_in_words(say: Say, entry: Entry) -> str:
    """Return the name of the person; a dash for unsigned acts."""
    return entry.person or (say("history.operator") if entry.by_operator else NOTHING)
