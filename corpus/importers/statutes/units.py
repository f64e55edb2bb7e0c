"""Turn the parts of a statute file into units with ids that are unique within the statute.

Every reader of statutes ends here, so that equal law has equal units whatever file it came in.

Units stand in the order body, addenda, attachments. Addenda of one number (ministries begin
again at 1) get ``-2``, ``-3`` … in document order; any other repeat is a UserError.
"""

from __future__ import annotations

from corpus.importers.statutes.annexes import Attachment, attachment_unit, is_deleted
from corpus.importers.statutes.blocks import Block, Body, looks_like_article
from corpus.importers.statutes.bounds import check_headings, check_unit
from corpus.importers.statutes.segments import prose, segment
from corpus.model import Level, Unit
from corpus.place import place_id, slug
from errors import UserError, Where


def read_units(
    body: Body,
    attachments: list[Attachment],
    statute_id: str,
    kind: str,
    language: str,
    file: str,
) -> tuple[Unit, ...]:
    """Return all units in order, their ids checked to be unique. `file` is for messages."""
    found: list[tuple[Unit, int]] = []
    if body.loose:
        found.append((_loose(body, file, statute_id, language), 1))
    for block in body.articles:
        check_headings(block.path, Where(file, block.line))
        found.append((_article(block, statute_id, language, len(found)), block.line))
    if not found:
        raise UserError("no_article", Where(file))
    taken: dict[str, int] = {}
    for block in body.addenda:
        found.append((_addendum(block, statute_id, kind, language, len(found), taken), block.line))
    for attachment in attachments:
        unit = attachment_unit(attachment, statute_id, language, len(found))
        found.append((unit, attachment.line))
    _refuse_unfit(found, file)
    return tuple(unit for unit, _ in found)


def _refuse_unfit(found: list[tuple[Unit, int]], file: str) -> None:
    first: dict[str, int] = {}
    for unit, line in found:
        check_unit(unit, Where(file, line))
        if unit.semantic_id in first:
            earlier = first[unit.semantic_id]
            raise UserError("place_repeated", Where(file, line), label=unit.label, first=earlier)
        first[unit.semantic_id] = line


def _article(block: Block, statute_id: str, language: str, order: int) -> Unit:
    section = block.number if block.level is Level.SECTION else ""
    text, parts = segment(block.lines, language, section)
    return Unit(
        semantic_id=f"{statute_id}_{place_id(block.level, block.number, language)}{block.tail}",
        statute_id=statute_id,
        level=block.level,
        label=_label(block, language),
        heading=block.heading,
        text=text,
        order=order,
        path=block.path,
        parts=parts,
        deleted=is_deleted(text.partition("\n")[0]),
        text_missing=not text,
        effective=block.effective,
    )


def _label(block: Block, language: str) -> str:
    if block.level is Level.SECTION:
        return block.number
    base, _, branch = block.number.partition("의")
    if language == "en":
        return f"Article {base}" + (f"-{branch}" if branch else "")
    return f"제{base}조" + (f"의{branch}" if branch else "")


def _loose(body: Body, file: str, statute_id: str, language: str) -> Unit:
    """Return the text under the title: a preamble, or all of an instrument without articles.

    Unless the source vouches for it, an instrument without articles is taken as one only if it
    has addenda, as every promulgated one does, and nothing in it looks like an article whose
    heading mark was lost.
    """
    if not body.articles:
        broken = any(looks_like_article(line) for line in body.loose)
        if not body.vouched and (broken or not body.addenda):
            raise UserError("no_article", Where(file))
        place, label = ("본문", "본문") if language == "ko" else ("text", "Text")
    else:
        place, label = ("전문", "전문") if language == "ko" else ("preamble", "Preamble")
    text, parts = segment(body.loose, language)
    return Unit(f"{statute_id}_{place}", statute_id, Level.ARTICLE, label, "", text, 0, parts=parts)


def _addendum(
    block: Block, statute_id: str, kind: str, language: str, order: int, taken: dict[str, int]
) -> Unit:
    place = ("부칙-" if language == "ko" else "addendum-") + slug(kind)
    label = "부칙" if language == "ko" else "Addendum"
    if block.number:
        number = f"제{block.number}호" if language == "ko" else f"No. {block.number}"
        place += "-" + (number if language == "ko" else f"no-{block.number}")
        label += f" <{number}, {block.day}>"
    taken[place] = taken.get(place, 0) + 1
    if taken[place] > 1:
        place += f"-{taken[place]}"
    return Unit(
        semantic_id=f"{statute_id}_{place}",
        statute_id=statute_id,
        level=Level.ADDENDUM,
        label=label,
        heading=block.heading,
        text=(text := prose(block.lines)),
        order=order,
        text_missing=not text,
    )
