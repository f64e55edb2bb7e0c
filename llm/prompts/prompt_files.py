"""Prompts as files: a head with metadata, and messages with placeholders.

  ---
  id: judge_binary
  version: 1
  role: judge
  language: en
  schema: verdict          (only where the answer has to be JSON: a name of
  `llm.structured.shapes`)
  optional: jurisdiction, year   (placeholders that a wording may omit, and a value may lack)
  ---
  === system ===
  You compare …
  === user ===
  Question: {{question}}

A value is data: it is inserted once and never searched for placeholders. An edited
prompt of a project keeps its placeholders; a missing or unknown one is an error, never empty.
An optional placeholder without a value removes its line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol

from errors import UserError, Where
from llm.request import Image, Message
from llm.roles import Role
from normalization.hashing import text_hash

FOLDER = Path(__file__).parent
_PLACE = re.compile(r"\{\{\s*([a-z][a-z0-9_]*)\s*\}\}")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_BRACES = re.compile(r"\{\{|\}\}")
_BLANK_LINES = re.compile(r"\n{3,}")
_SECTION = re.compile(r"^=== *(\w+) *===[ \t]*$", re.MULTILINE)
_HEAD = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)
_NAMES = ("id", "version", "role", "language")
_EXTRAS = ("schema", "optional")
_SPEAKERS = ("system", "user", "assistant")
ABOUT_LAW = frozenset({"jurisdiction", "year"})
"""Jurisdiction and date of the law in question: values that callers always give.

Prompts need not have the placeholders.
"""
_UNSPECIFIED = {"en": "unspecified", "ko": "명시되지 않음"}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file. `number` is the version written in it.

    `optional` are the placeholders that its wording may omit, and that may have no value.
    """

    id: str
    number: int
    role: Role
    language: str
    parts: tuple[tuple[str, str], ...]
    hash: str
    schema: str
    optional: frozenset[str] = frozenset()

    @property
    def version(self) -> str:
        """The number with 12 hexadecimal digits of the text's hash: unique per wording."""
        return f"{self.number}-{self.hash}"

    @property
    def name(self) -> str:
        """The prompt's name in calls: id, language and version."""
        return f"{self.id}.{self.language}@{self.version}"

    @property
    def places(self) -> frozenset[str]:
        """The names of its placeholders."""
        return frozenset(name for _, text in self.parts for name in _PLACE.findall(text))

    def messages(
        self, values: Mapping[str, str], images: Sequence[Image] = ()
    ) -> tuple[Message, ...]:
        """Return the messages with these values, `images` in the last; UserError for unfit values.

        Raises UserError for a missing value and for one without a placeholder.
        """
        given = {name: value for name, value in values.items() if name in self.places}
        missing = self.places - self.optional - given.keys()
        unknown = values.keys() - self.places - self.optional - ABOUT_LAW
        if missing or unknown:
            raise UserError(
                "prompt_values",
                Where(file=self.name),
                missing=_names_text(missing),
                unknown=_names_text(unknown),
            )
        said = [Message(speaker, self._filled(text, given)) for speaker, text in self.parts]
        last = said[-1]
        return (*said[:-1], Message(last.speaker, last.text, tuple(images)))

    def _filled(self, text: str, values: Mapping[str, str]) -> str:
        """Fill a part with the values, without lines whose placeholders are optional and empty."""
        empty = {name for name in self.optional if not values.get(name, "").strip()}
        known = dict(values) | dict.fromkeys(empty, _UNSPECIFIED.get(self.language, "unspecified"))
        if empty:
            lines = ((line, set(_PLACE.findall(line))) for line in text.split("\n"))
            kept = "\n".join(line for line, names in lines if not names or names - empty)
            text = _BLANK_LINES.sub("\n\n", kept).strip()
        return _PLACE.sub(lambda found: known[found[1]], text)


class PromptSource(Protocol):
    """A source of prompts: the packaged files, or a project's own."""

    def text(self, prompt_id: str, language: str) -> str | None:
        """Return the text of a prompt, None if this source lacks it."""


class Packaged:
    """The prompts that come with Touchstone."""

    def text(self, prompt_id: str, language: str) -> str | None:
        """Return the text of a packaged prompt, None if there is none."""
        file = FOLDER / f"{prompt_id}.{language}.md"
        known = file in FOLDER.glob("*.md")  # an id is a name, never a path
        return file.read_text(encoding="utf-8") if known else None


PACKAGED = Packaged()


def packaged_ids() -> tuple[str, ...]:
    """Return the ids of the packaged prompts, ascending."""
    return tuple(sorted({file.name.split(".")[0] for file in FOLDER.glob("*.md")}))


def prompt(prompt_id: str, language: str, project: PromptSource | None = None) -> Prompt:
    """Return the prompt in force: the project's own, else the packaged; UserError for an unfit one.

    Raises UserError for an unknown or invalid prompt, and for a project's that has another
    purpose or other placeholders than the packaged one.
    """
    packaged = PACKAGED.text(prompt_id, language)
    if packaged is None:
        known = ", ".join(packaged_ids())
        raise UserError("prompt_unknown", id=prompt_id, language=language, known=known)
    standard = _read_packaged(packaged, f"{prompt_id}.{language}.md")
    own = project.text(prompt_id, language) if project else None
    return standard if own is None else edited(own, standard)


def edited(text: str, standard: Prompt) -> Prompt:
    """Parse an edited prompt; UserError if it differs from `standard` in more than its wording.

    Raises UserError for an unreadable one, another id, role or language, or other placeholders.
    """
    name = f"{standard.id}.{standard.language}"
    read = read_prompt(text, name)
    for field in ("id", "role", "language", "schema"):
        if getattr(read, field) != getattr(standard, field):
            reason = f"{field}: {getattr(standard, field)}"
            raise UserError("prompt_unreadable", Where(file=name, field=field), reason=reason)
    missing = standard.places - standard.optional - read.places
    unknown = read.places - standard.places - standard.optional
    if missing or unknown:
        raise UserError(
            "prompt_places",
            Where(file=name),
            missing=_names_text(missing),
            unknown=_names_text(unknown),
        )
    return replace(read, optional=standard.optional)


def read_prompt(text: str, file: str) -> Prompt:
    """Parse a prompt's text. Raises UserError, naming the place, for an invalid one."""
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    head = _HEAD.match(text)
    if head is None:
        raise UserError("prompt_unreadable", Where(file=file, line=1), reason="---")
    fields = _fields(head[1], file)
    parts = _parts(text[head.end() :], file)
    return Prompt(
        id=fields["id"],
        number=int(fields["version"]),
        role=Role(fields["role"]),
        language=fields["language"],
        parts=parts,
        hash=text_hash(text)[:12],
        schema=fields.get("schema", ""),
        optional=frozenset(_NAME.findall(fields.get("optional", ""))),
    )


def _fields(head: str, file: str) -> dict[str, str]:
    """Parse the head of a prompt into its fields; UserError for an invalid or missing one."""
    fields = {}
    for number, line in enumerate(head.splitlines(), 2):
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or name not in (*_NAMES, *_EXTRAS) or name in fields:
            raise UserError("prompt_unreadable", Where(file=file, line=number), reason=line)
        fields[name] = value
    for name in _NAMES:
        fits = fields.get(name)
        if not fits or not _is_valid(name, fits):
            where = Where(file=file, field=name)
            raise UserError("prompt_unreadable", where, reason=f"{name}: {fits or ''}")
    return fields


def _is_valid(name: str, value: str) -> bool:
    """Return True for a valid value of a field of the head."""
    if name == "version":
        return value.isascii() and value.isdecimal() and int(value[:9]) >= 1 and len(value) < 9
    return name != "role" or value in set(Role)


def _parts(body: str, file: str) -> tuple[tuple[str, str], ...]:
    """Split a prompt's body into (speaker, text) pairs; UserError unless the last is the user's."""
    cut = _SECTION.split(body)
    speakers = cut[1::2]
    usable = not cut[0].strip() and speakers and speakers[-1] == "user"
    if not usable or any(speaker not in _SPEAKERS for speaker in speakers):
        where = Where(file=file, field="=== system ===, === user ===")
        raise UserError("prompt_unreadable", where, reason=", ".join(speakers) or "–")
    parts = tuple(zip(speakers, (text.strip() for text in cut[2::2]), strict=True))
    for _, text in parts:
        stray = _BRACES.search(_PLACE.sub("", text))
        if stray or not text:
            where = Where(file=file)
            raise UserError("prompt_unreadable", where, reason=stray[0] if stray else "–")
    return parts


@cache
def _read_packaged(text: str, file: str) -> Prompt:
    """Parse a packaged prompt, cached."""
    return read_prompt(text, file)


def _names_text(names: frozenset[str] | set[str]) -> str:
    return ", ".join(sorted(names)) or "–"
