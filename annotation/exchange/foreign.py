"""Labels in exports of other annotation tools, and what such a file holds.

`foreign_tools` and `inception` yield the records of each tool's file; here the fields that a guide
names are picked from them. Predictions, suggestions, relations and what no user wrote are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from annotation.exchange import foreign_tools, inception
from annotation.exchange.foreign_tools import SHAPE_ERRORS, Given, Record, Value
from annotation.work.submissions import TOOLS
from errors import UserError, Where, require_known

Status = Literal["submitted", "draft", "discarded"]
STATUS: Mapping[str, Status] = {
    "submitted": "submitted",
    "draft": "draft",
    "pending": "draft",
    "discarded": "discarded",
}
"""Our status for each word that the tools have for theirs."""
_PROBED = 50  # records that tell which tool wrote a file


def records(path: Path, tool: str) -> Iterator[Record | UserError]:
    """Yield the records of a tool's file or folder, and the error of each of another shape.

    Raises UserError for an unknown tool and a file that cannot be read.
    """
    require_known("labels_tool", TOOLS, Where(field="tool"), tool=tool)
    if tool == inception.TOOL:
        yield from inception.records(path)
        return
    files = [path] if not path.is_dir() else sorted(p for p in path.rglob("*") if p.is_file())
    for file in files:
        yield from foreign_tools.records(file, tool)


def recognised(path: Path) -> str | None:
    """Return the tool whose export a file looks like, None for none."""
    if inception.is_export(path):
        return inception.TOOL
    counts = {tool: _probe(path, tool) for tool in TOOLS if tool != inception.TOOL}
    tool = max(counts, key=counts.__getitem__)  # of equal ones the first, which asks for more
    return tool if counts[tool] else None


def _probe(path: Path, tool: str) -> int:
    """Count the labels that the first records hold if read as those of a tool."""
    count = 0
    try:
        for record in islice(records(path, tool), _PROBED):
            if isinstance(record, Record):
                count += sum(bool(given().values) for given in record.given)
    except (UserError, *SHAPE_ERRORS):
        return 0
    return count


@dataclass(frozen=True, slots=True)
class Fields:
    """Keys in a file: of the item's id, of the choices and of the comment; "" for none."""

    item: str
    choices: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Foreign:
    """One user's label of one record. `choices` are the tool's own names, `user` its own id.

    `made_at` is the time of the last change, in UTC if the file names no zone; None if it has none.
    `values` are all fields of the label by name.
    """

    item: str
    user: str
    status: Status
    choices: tuple[str, ...]
    comment: str
    where: Where
    made_at: datetime | None
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a file in order, and the errors of unreadable ones."""

    read: tuple[Foreign, ...]
    unread: tuple[UserError, ...]


def read_labels(path: Path, tool: str, fields: Fields) -> Labels:
    """Return the labels of a tool's file, and the errors of those that cannot be read.

    Unreadable records and labels are reported, and the others are read. Raises UserError for an
    unknown tool, a file that is not JSON, and one without any record of the tool's format.
    """
    read, unread, fitting = list[Foreign](), list[UserError](), False
    for record in records(path, tool):
        if isinstance(record, UserError):
            unread.append(record)
            continue
        try:
            item = _as_name(record.ids[fields.item])
            fitting = True
        except SHAPE_ERRORS:
            unread.append(UserError("labels_shape", record.where, tool=tool))
            continue
        for given in record.given:
            try:
                label = _picked(item, given(), fields, record.where)
            except UserError as error:
                unread.append(error)
            except SHAPE_ERRORS:
                unread.append(UserError("labels_shape", record.where, tool=tool))
            else:
                read += [label] if label else []
    if unread and not fitting:
        raise unread[0]
    return Labels(tuple(read), tuple(unread))


def _picked(item: str, given: Given, fields: Fields, where: Where) -> Foreign | None:
    """Return the label in the fields named, None where the user wrote in neither.

    Without a field of choices all that the user wrote counts.
    """
    if given.twice:
        raise UserError("labels_twice", where, item=item, user=given.user)
    choices = given.values.get(fields.choices, Value())
    comment = given.values.get(fields.comment, Value()) if fields.comment else Value()
    said = (choices, comment) if fields.choices else given.values.values()
    stated = next((each.status for each in said if each.status), given.status)
    if not stated:
        return None
    texts = tuple(map(_as_text, comment.each))
    return Foreign(
        item,
        given.user,
        STATUS[stated],
        tuple(map(_as_text, choices.each)),
        "\n".join(texts),
        where,
        given.made_at,
        given.values,
    )


def _as_name(value: Any) -> str:
    """Return a name as text. Raises ValueError for anything but text or a number."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError("no name")
    return str(value)


def _as_text(value: Any) -> str:
    """Return a text. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError("no text")
    return value


@dataclass(slots=True)
class FoundField:
    """A field of a file: the kinds of its values, and the choices or labels of spans in it."""

    kinds: set[str] = field(default_factory=set)
    choices: dict[str, None] = field(default_factory=dict)

    def add(self, value: Value) -> None:
        """Count a value in."""
        if value.each:
            self.kinds.add(value.kind)
        if value.kind == "spans":
            self.choices |= dict.fromkeys(label for _, _, label in value.spans)
        elif value.kind != "text":
            each = (one for one in value.each if isinstance(one, str | int | float))
            self.choices |= dict.fromkeys(map(str, each))


@dataclass(slots=True)
class Survey:
    """What a file holds: records, names that may be the item's id, fields, users, statuses.

    `ids` says of each name how many records name a known item by it.
    """

    records: int = 0
    ids: Counter[str] = field(default_factory=Counter)
    fields: dict[str, FoundField] = field(default_factory=dict)
    users: dict[str, None] = field(default_factory=dict)
    statuses: Counter[Status] = field(default_factory=Counter)

    def named(self, *kinds: str) -> tuple[str, ...]:
        """Return the fields that have values of these kinds, in order of appearance."""
        return tuple(name for name, each in self.fields.items() if each.kinds & {*kinds})

    def add(self, record: Record, known: Container[str]) -> None:
        """Count a record in, but for labels of another shape."""
        self.records += 1
        self.ids.update({str(name): int(str(value) in known) for name, value in record.ids.items()})
        for read in record.given:
            try:
                given = read()
                for name, value in given.values.items():
                    self.fields.setdefault(name, FoundField()).add(value)
            except SHAPE_ERRORS:
                continue
            self.users[given.user] = None
            words = (given.status, *(each.status for each in given.values.values()))
            self.statuses.update(STATUS[word] for word in [*filter(None, words)][:1])


def survey(path: Path, tool: str, known: Container[str] = ()) -> Survey:
    """Count the labels, people and items in a file; `known` are the items it may be about.

    Raises UserError for an unknown tool, a file that cannot be read, and one without any record of
    the tool's format.
    """
    found, failed = Survey(), None
    for record in records(path, tool):
        if isinstance(record, UserError):
            failed = failed or record
        else:
            found.add(record, known)
    if failed and not found.records:
        raise failed
    return found


def users_and_choices(labels: Sequence[Foreign]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the users who labelled and the choices they made, in the order of the file."""
    users = dict.fromkeys(label.user for label in labels)
    choices = dict.fromkeys(choice for label in labels for choice in label.choices)
    return tuple(users), tuple(choices)
