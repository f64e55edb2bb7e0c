"""An entry of a history in words: what it is, who did it, and each of its details.

Words of ours stand for the fields and values that the catalogue knows; what people wrote, and ids,
are told as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from annotation.history.entry import Entry
from annotation.ocr.blocks import is_block, texts
from annotation.work.origins import TOOLS
from messages import catalogue

NOTHING = "–"
_DECISION = "history.value.decision"
_VALUES = {  # the field, and the group of the catalogue that names what it can hold
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
_DIGITS = 12  # of a hash; wherever one is asked for, 8 suffice
_ROLES = ("person.added", "person.role")  # before and after are roles; of others they are names

Say = Callable[[str], str]


def in_words(say: Say, entry: Entry) -> list[str]:
    """Return a line of text for each detail of the entry, in its order: ``Reason: clear``.

    Fields and values that the catalogue knows are named by it; others are drawn as they are. A
    value is looked up by its field alone, so that what somebody wrote is never taken for a word of
    ours. Of a block of a page its text is told, of a run what sets it apart, of a snapshot its
    number and of a hash its first digits; all the rest is in the export. What is empty is left out,
    but of a draft, where somebody took words away.
    """
    return [
        f"{_named(say, 'history.field', field)}: {told}"
        for field, told in _told_of(say, entry)
        if told != NOTHING or entry.kind.startswith("draft.")
    ]


def _told_of(say: Say, entry: Entry) -> Iterator[tuple[str, str]]:
    details = dict(entry.details)
    if entry.kind == "run.kept" and "method" in details:
        yield "run", _run(entry.key, details.pop("method"), details.pop("params", None) or {})
    for field, value in details.items():
        if field == "snapshot" and entry.snapshot_id is not None:
            yield field, f"{say('history.value.snapshot')} {entry.snapshot_id}"
        elif field == "imported" and isinstance(value, Mapping):
            yield field, _origin(value)
        elif field in _HASHES and isinstance(value, str):
            yield field, value[:_DIGITS] or NOTHING
        else:
            yield field, _value(say, _group(entry.kind, field), value)


def _run(key: str, method: str, params: Mapping[str, Any]) -> str:
    """Return the number of a run and what its method is: what it has at defaults is not told."""
    from retrieval.core.presets import describe

    spec = {name: value for name, value in params.items() if not name.startswith("run_")}
    return f"{key.rpartition('-')[2]} · {describe({'method': method, **spec})}"


def _origin(origin: Mapping[str, Any]) -> str:
    """Return the file, the tool and the day of an answer that was given in another tool."""
    file, tool = origin.get("file"), str(origin.get("tool", ""))
    named = TOOLS.get(tool, tool)
    day = str(origin.get("made_at") or "")[:10]
    return ", ".join(filter(None, (f"{file} ({named})" if file else named, day))) or NOTHING


def _group(kind: str, field: str) -> str | None:
    if field in ("before", "after"):
        return "roles.role" if kind in _ROLES else None
    return _VALUES.get(field)


def _value(say: Say, group: str | None, value: Any) -> str:
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
            f"{_named(say, group, str(name))} = {_within(say, group, each)}"
            for name, each in said.items()
        )
    if isinstance(value, list):
        return ", ".join(_within(say, group, each) for each in value)
    return _named(say, group, str(value))


def _within(say: Say, group: str | None, value: Any) -> str:
    """Return a value within another: what has parts of its own is held together by brackets."""
    told = _value(say, group, value)
    whole = not value or not isinstance(value, Mapping) or is_block(value)
    return told if whole else f"({told})"


def _named(say: Say, group: str | None, name: str) -> str:
    key = f"{group}.{name}"
    return say(key) if group is not None and key in catalogue() else name


def what_in_words(say: Say, entry: Entry) -> str:
    """Return what happened, e.g. ``Batch · questions added``."""
    family, _, kind = entry.kind.partition(".")
    said = say(f"history.family.{family}")
    keys = kind_keys(entry.kind, entry.details)
    key = next((key for key in keys if key in catalogue()), None)
    return f"{said} · {say(key) if key else kind}"


def kind_keys(kind: str, details: Mapping[str, Any]) -> list[str]:
    """Return the keys that may hold the words of a kind of entry, the closest first.

    What adds and what takes away is one kind; its details say which.
    """
    family, _, name = kind.partition(".")
    ways = [f"history.kind.{kind}_{way}" for way in ("added", "removed") if way in details]
    return [*ways, f"history.kind.{kind}", f"{family}.kind.{name}", f"people.kind.{name}"]


def who_in_words(say: Say, entry: Entry) -> str:
    """Return the name of who did it; of what nobody signs, a dash."""
    return entry.person or (say("history.operator") if entry.by_operator else NOTHING)
