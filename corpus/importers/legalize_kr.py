"""Read statutes in the layout of legalize-kr: one Markdown file with front matter each.

Units stand in the order body, addenda, attachments. Ids are unique by these rules:

* Addenda of one number (ministries begin again at 1) get ``-2``, ``-3`` … in document order.
* Files of one title are one instrument's namesakes when kind or number of promulgation
  tell them apart (a repealed predecessor beside the law in force). The one promulgated last
  keeps the plain slug; the others get ``-<kind>-제N호`` behind it (``-<kind>-no-N``).
* Everything else that would repeat an id is a UserError.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

from corpus.importers.annexes import annex_units, is_deleted
from corpus.importers.blocks import Block, Body, looks_like_article, split_body
from corpus.importers.frontmatter import Fields, read_front_matter
from corpus.importers.kinds import tier_of
from corpus.importers.segments import prose, segment
from corpus.importers.textfile import read_text, unreadable
from corpus.model import Level, Statute, Unit
from corpus.place import place_id, slug
from errors import UserError, Where

TITLE, KIND, NUMBER = "제목", "법령구분", "공포번호"
_HANGUL = re.compile("[가-힣]")


def read_tree(path: Path, progress: Callable[[int, int], None] | None = None) -> list[Statute]:
    """Return the statutes of every ``.md`` file under `path`, sorted by file path.

    `path` may be a single file. `progress` is called with (files read, files in all). Files
    named README.md, hidden folders and files, linked folders, and links that lead out of the
    tree are passed over. Raises UserError for whatever the user must mend.
    """
    root = Path(path)
    files = _files(root)
    statutes: list[Statute] = []
    for done, (file, name) in enumerate(files, 1):
        statutes.append(parse_statute(read_text(file, name), name))
        if progress:
            progress(done, len(files))
    return _tell_apart(statutes)


def parse_statute(text: str, file: str) -> Statute:
    """Return the statute that `text` holds; `file` is its path relative to the tree's root.

    Raises UserError naming file, line and field of what cannot be read.
    """
    fields, taken = read_front_matter(text.removeprefix("\ufeff"), file)
    title = fields.text(TITLE)
    kind = fields.text(KIND)
    tier = tier_of(kind, fields.where(KIND))
    semantic_id = slug(title)
    if not semantic_id:
        raise UserError("title_unusable", fields.where(TITLE), title=title)
    language = language_of(title)
    body = split_body(text.split("\n")[taken:], taken + 1, file)
    return Statute(
        semantic_id=semantic_id,
        title=title,
        kind=kind,
        tier=tier,
        language=language,
        units=_units(body, fields, semantic_id, kind, language),
        promulgated=fields.day("공포일자"),
        number=fields.optional_text(NUMBER).lstrip("0"),
        effective=fields.day("시행일자"),
        source=fields.optional_text("출처"),
        file=file,
    )


def language_of(text: str) -> str:
    """Return "ko" for a text with Hangul in it, else "en"."""
    return "ko" if _HANGUL.search(text) else "en"


# Units of one statute


def _units(
    body: Body, fields: Fields, statute_id: str, kind: str, language: str
) -> tuple[Unit, ...]:
    """Return all units in order, their ids checked to be unique."""
    found: list[tuple[Unit, int]] = []
    if body.loose:
        found.append((_loose(body, fields, statute_id, language), 1))
    for block in body.articles:
        found.append((_article(block, statute_id, language, len(found)), block.line))
    if not found:
        raise UserError("no_article", Where(fields.file))
    taken: dict[str, int] = {}
    for block in body.addenda:
        found.append((_addendum(block, statute_id, kind, language, len(found), taken), block.line))
    found += annex_units(fields, statute_id, language, len(found))
    _refuse_repeats(found, fields.file)
    return tuple(unit for unit, _ in found)


def _refuse_repeats(found: list[tuple[Unit, int]], file: str) -> None:
    first: dict[str, int] = {}
    for unit, line in found:
        if unit.semantic_id in first:
            earlier = first[unit.semantic_id]
            raise UserError("place_repeated", Where(file, line), label=unit.label, first=earlier)
        first[unit.semantic_id] = line


def _article(block: Block, statute_id: str, language: str, order: int) -> Unit:
    section = block.number if block.level is Level.SECTION else ""
    text, parts = segment(block.lines, language, section)
    return Unit(
        semantic_id=f"{statute_id}_{place_id(block.level, block.number, language)}",
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
    )


def _label(block: Block, language: str) -> str:
    if block.level is Level.SECTION:
        return block.number
    base, _, branch = block.number.partition("의")
    if language == "en":
        return f"Article {base}" + (f"-{branch}" if branch else "")
    return f"제{base}조" + (f"의{branch}" if branch else "")


def _loose(body: Body, fields: Fields, statute_id: str, language: str) -> Unit:
    """Return the text under the title: a preamble, or all of an instrument without articles.

    An instrument without articles is taken as one only if it has addenda, as every promulgated
    one does, and nothing in it looks like an article whose heading mark was lost.
    """
    if not body.articles:
        broken = any(looks_like_article(line) for line in body.loose)
        if broken or not body.addenda:
            raise UserError("no_article", Where(fields.file))
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


# The tree


def _files(root: Path) -> list[tuple[Path, str]]:
    """Return (file, its path relative to the root) of every statute file, sorted by the latter."""
    if root.is_file():
        return [(root, root.name)]
    if not root.exists():
        raise UserError("path_missing", Where(str(root)))
    if not root.is_dir():
        raise UserError("not_a_folder", Where(str(root)))
    home = root.resolve()
    found = [(p, p.relative_to(root).as_posix()) for p in _walk(root)]
    kept = [(p, n) for p, n in found if not p.is_symlink() or p.resolve().is_relative_to(home)]
    if not kept:
        raise UserError("tree_empty", Where(str(root)))
    return sorted(kept, key=lambda pair: pair[1])


def _walk(root: Path) -> Iterator[Path]:
    def refuse(problem: OSError) -> None:
        raise unreadable(str(problem.filename), problem) from problem

    for folder, folders, names in os.walk(root, onerror=refuse, followlinks=False):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            lower = name.lower()
            if lower.endswith(".md") and lower != "readme.md" and not name.startswith("."):
                yield Path(folder, name)


def _tell_apart(statutes: list[Statute]) -> list[Statute]:
    """Return the statutes with namesakes renamed, in the same order."""
    groups: dict[str, list[Statute]] = {}
    for statute in statutes:
        groups.setdefault(statute.semantic_id, []).append(statute)
    names: dict[str, str] = {}  # file → semantic id
    for group in groups.values():
        _refuse_copies(group)
        group.sort(key=lambda s: (s.promulgated or date.min, s.file))
        names |= {older.file: _longer_id(older) for older in group[:-1]}
        names[group[-1].file] = group[-1].semantic_id
    holders: dict[str, str] = {}
    for statute in statutes:
        name = names[statute.file]
        if name in holders:
            raise _title_repeated(statute, holders[name])
        holders[name] = statute.file
    return [_renamed(statute, names[statute.file]) for statute in statutes]


def _refuse_copies(group: list[Statute]) -> None:
    """Raise UserError if kind and number do not tell statutes of one title apart."""
    seen: dict[tuple[str, str], str] = {}
    for statute in group:
        mark = (slug(statute.kind), statute.number)
        if mark in seen:
            raise _title_repeated(statute, seen[mark])
        seen[mark] = statute.file


def _title_repeated(statute: Statute, other: str) -> UserError:
    return UserError("title_repeated", Where(statute.file, field=TITLE), other=other)


def _longer_id(statute: Statute) -> str:
    name = f"{statute.semantic_id}-{slug(statute.kind)}"
    if not statute.number:
        return name
    number = f"제{statute.number}호" if statute.language == "ko" else f"no-{statute.number}"
    return f"{name}-{number}"


def _renamed(statute: Statute, name: str) -> Statute:
    if name == statute.semantic_id:
        return statute
    units = tuple(
        replace(u, statute_id=name, semantic_id=name + u.semantic_id[len(statute.semantic_id) :])
        for u in statute.units
    )
    return replace(statute, semantic_id=name, units=units)
