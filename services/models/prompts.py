"""A project's own versions of prompts: reading and saving.

An editor changes the body (from ``=== system ===`` on); the head of the file, which states the
purpose, is the packaged one's with the version's number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from sqlmodel import Session, col, select

from annotation.people.roles import Act, reading_as, writing_as
from annotation.work.submissions import checked_text
from corpus.limits import PROMPT
from errors import UserError, Where
from llm.prompts.prompt_files import PACKAGED, Prompt, PromptSource, edited, packaged_ids, prompt
from messages import LANGUAGES
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tables.core import Person
from storage.tables.models import PromptText

TEXT_LIMIT = PROMPT
_HEAD = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_NUMBER = re.compile(r"^version:.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PromptView:
    """A prompt in its current version; `own` if the project has replaced the packaged one.

    `body` has placeholders, of which those in `optional` may be missing; `person`, `at` and `note`
    are of the version.
    """

    id: str
    language: str
    role: str
    number: int
    version: str
    places: tuple[str, ...]
    body: str
    own: bool
    person: str | None
    at: datetime | None
    note: str
    optional: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _ProjectPrompts:
    """The project's newest prompt texts by (prompt id, language)."""

    texts: Mapping[tuple[str, str], str]

    def text(self, prompt_id: str, language: str) -> str | None:
        """Return the project's own text of a prompt, None if it has none."""
        return self.texts.get((prompt_id, language))


def project_prompts(ws: Workspace, project_slug: str) -> PromptSource:
    """Return the project's own prompts, as `llm.prompts.prompt_files.prompt` takes them."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        return _ProjectPrompts(
            {key: row.text for key, (row, _) in _newest_rows(session, project.id).items()}
        )


class Prompts:
    """The prompts of a project, each read once; languages without one fall back to English."""

    def __init__(self, ws: Workspace, project_slug: str) -> None:
        own = project_prompts(ws, project_slug)
        self._read = cache(lambda name, language: prompt(name, language, own))

    def of(self, name: str, language: str) -> Prompt:
        """Return a prompt in a language, in English if there is none in that."""
        found: Prompt = self._read(name, language if language in LANGUAGES else "en")
        return found

    def named(self, name: str) -> Prompt:
        """Return the current version of the prompt in a full name such as a call stores."""
        prompt_id, language = name.partition("@")[0].split(".")
        return self.of(prompt_id, language)

    def version(self, *names: str) -> str:
        """Return the names of prompts with their versions in every language."""
        return " ".join(self.of(name, language).name for name in names for language in LANGUAGES)


def list_prompts(ws: Workspace, project_slug: str, by: int | None = None) -> tuple[PromptView, ...]:
    """Return every prompt in every language as used by the project, by id and language.

    Raises UserError for `by` who may not have models run.
    """
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        found = _newest_rows(session, project.id)
        own = _ProjectPrompts({key: row.text for key, (row, _) in found.items()})
        return tuple(
            _prompt_view(each, language, own, found.get((each, language)))
            for each in packaged_ids()
            for language in LANGUAGES
        )


def packaged_body(prompt_id: str, language: str) -> str:
    """Return the body of the packaged prompt. Raises UserError for an unknown one."""
    prompt(prompt_id, language)
    return _body(PACKAGED.text(prompt_id, language) or "")


def save_prompt(
    ws: Workspace,
    project_slug: str,
    prompt_id: str,
    language: str,
    body: str,
    note: str,
    expected: int,
    by: int | None = None,
) -> str:
    """Save a new version of a prompt; return its version, ``<number>-<hash>``.

    `expected` is the version number the editor started from. Raises UserError for `by` who may not
    have models run, an unknown prompt, an invalid text or one with other placeholders than the
    packaged one, an unchanged text, and a version saved meanwhile.
    """
    note = checked_text(note, "note")
    said = checked_text(body.replace("\r\n", "\n"), "text", TEXT_LIMIT)
    with writing_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, who):
        found = _newest_rows(session, project.id).get((prompt_id, language))
        own = _ProjectPrompts({} if found is None else {(prompt_id, language): found[0].text})
        now = _prompt_view(prompt_id, language, own, found)
        if now.number != expected:
            where = Where(field="text")
            raise UserError("prompt_stale", where, number=now.number, expected=expected)
        if said.strip() == now.body.strip():
            raise UserError("prompt_same", Where(field="text"), number=now.number)
        made = _build_prompt(prompt_id, language, said, now.number + 1)
        session.add(
            PromptText(
                project_id=project.id,
                prompt_id=prompt_id,
                language=language,
                number=made[0].number,
                text=made[1],
                note=note,
                by_person_id=None if who is None else who.person_id,
                at=ws.clock(),
            )
        )
        return made[0].version


def _newest_rows(
    session: Session, project_id: int
) -> dict[tuple[str, str], tuple[PromptText, str]]:
    """Return the newest row of each of the project's own prompts, with its author."""
    query = (
        select(PromptText, Person.name)
        .outerjoin(Person)
        .where(PromptText.project_id == project_id)
        .order_by(col(PromptText.number))
    )
    return {(row.prompt_id, row.language): (row, name) for row, name in session.exec(query)}


def _build_prompt(prompt_id: str, language: str, body: str, number: int) -> tuple[Prompt, str]:
    """Build a prompt from the packaged head and a body; return it with its full text."""
    standard = PACKAGED.text(prompt_id, language) or ""
    head = _HEAD.match(standard)
    numbered = _NUMBER.sub(f"version: {number}", head[0] if head else "")
    text = f"{numbered}{body.strip()}\n"
    return edited(text, prompt(prompt_id, language)), text


def _prompt_view(
    prompt_id: str, language: str, own: PromptSource, stored: tuple[PromptText, str] | None
) -> PromptView:
    """Return a prompt as the project uses it; `stored` is its newest own row with the author."""
    holds = prompt(prompt_id, language, own)
    text = own.text(prompt_id, language) or PACKAGED.text(prompt_id, language) or ""
    row, name = stored or (None, None)
    return PromptView(
        id=prompt_id,
        language=language,
        role=holds.role,
        number=holds.number,
        version=holds.version,
        places=tuple(sorted(holds.places - holds.optional)),
        optional=tuple(sorted(holds.optional)),
        body=_body(text),
        own=row is not None,
        person=name,
        at=None if row is None else row.at,
        note="" if row is None else row.note,
    )


def _body(text: str) -> str:
    """Return a prompt without its head."""
    return _HEAD.sub("", text, count=1).strip()


def prompt_wordings(ws: Workspace, project_slug: str, prompt_id: str) -> dict[str, Prompt]:
    """Return the project's version of a prompt in each language, else the packaged one."""
    prompts = Prompts(ws, project_slug)
    return {language: prompts.of(prompt_id, language) for language in LANGUAGES}
