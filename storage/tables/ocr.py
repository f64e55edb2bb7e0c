"""Pages of law as images, OCR drafts of them, and the units made from their texts.

People's corrections are in `annotation`. Rows are only ever added.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, LargeBinary, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import Dated, one_of
from storage.tables import core as _tables
from storage.tables import models as _models

_OTHERS = (_tables.Project, _models.LlmCall)  # what these tables refer to


class PageImage(Dated, table=True):
    """An upright page image; equal ones are stored once.

    `turned` is by how many degrees the page was turned anticlockwise before it was straightened.
    """

    __table_args__ = (UniqueConstraint("project_id", "sha256"),)
    project_id: int = Field(foreign_key="project.id")
    sha256: str
    media_type: str
    width: int
    height: int
    turned: float
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class Page(Dated, table=True):
    """A page of a document, with its file and the corpus unit that it shows.

    `number` counts the file's pages from 1. `unit` is the semantic id of the unit, "" where the
    document is to be an instrument of its own. `person_id` is None for the operator.
    """

    __table_args__ = (UniqueConstraint("project_id", "external_id"),)
    project_id: int = Field(foreign_key="project.id")
    external_id: str
    document: str
    number: int
    language: str
    unit: str = ""
    image_id: int = Field(foreign_key="page_image.id")
    file: str
    file_sha256: str
    person_id: int | None = Field(default=None, foreign_key="person.id")


class PageDraft(Dated, table=True):
    """An OCR engine's draft of a page, or the reason of its failure.

    `blocks` are those of `corpus.ocr.blocks`; `words` is a list of [text, left, top, right, bottom,
    confidence in percent or null]. `seconds` is how long the engine took.
    """

    __table_args__ = (one_of("state", "drafted", "failed"),)
    page_id: int = Field(foreign_key="page.id", index=True)
    engine: str
    engine_version: str
    parameters: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    blocks: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    words: list[list[Any]] = Field(sa_column=Column(JSON, nullable=False))
    state: str
    problem: str | None = None
    seconds: float
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")


class UnitPage(Dated, table=True):
    """A page whose corrected text is in a unit of a snapshot.

    `correction_id` and `verification_id` are the people's submissions, of which the newest row
    counts: a page that is verified once more may keep its text. `order` is its place in the unit,
    from 1. `person_id` published the text into the corpus, None for the operator.
    """

    __table_args__ = (UniqueConstraint("unit_id", "page_id", "verification_id"),)
    unit_id: int = Field(foreign_key="unit.id")
    page_id: int = Field(foreign_key="page.id", index=True)
    order: int
    correction_id: int = Field(foreign_key="annotation.id")
    verification_id: int = Field(foreign_key="annotation.id")
    person_id: int | None = Field(default=None, foreign_key="person.id")
