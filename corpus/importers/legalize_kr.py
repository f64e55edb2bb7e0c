"""Importer of statutes in the layout of legalize-kr: Markdown files with YAML front matter.

See `units` for the order and the ids of units, `merge` for files of one title, `segments` for the
conversion of the text.
"""

from __future__ import annotations

from pathlib import Path

from corpus.files.given_paths import statute_texts
from corpus.files.yaml_fields import Fields, Value, read_value
from corpus.importers.statutes.blocks import split_body
from corpus.importers.statutes.merge import TITLE, lengthen_ids
from corpus.importers.statutes.tiers import statute_name, tier_of
from corpus.importers.statutes.units import listed, with_units
from corpus.long_work import Progress
from corpus.model import FIELD, Statute, jurisdiction_of, language_of
from errors import UserError, Where

MAX_CHARACTERS = 1024 * 1024
FENCE = "---"


def read_front_matter(text: str, file: str) -> tuple[Fields, int]:
    """Return the fields before the body, and the number of lines of them and their fences.

    Raises UserError if the text does not open with a fenced front matter or its YAML is broken.
    """
    opening, _, rest = text.partition("\n")
    if opening.rstrip() != FENCE:
        raise UserError("front_matter_missing", Where(file, 1))
    inside: list[str] = []
    for line in rest.split("\n"):
        if line.rstrip() == FENCE:
            break
        inside.append(line)
    else:
        raise UserError("front_matter_open", Where(file, 1))
    return Fields(file, 1, _mapping("\n".join(inside), file)), len(inside) + 2


def _mapping(text: str, file: str) -> dict[str, Value]:
    """Parse the front matter as a mapping of fields. Raises UserError if it is none."""
    if len(text) > MAX_CHARACTERS:
        raise UserError("front_matter_large", Where(file, 1), limit=MAX_CHARACTERS)
    value = read_value(text, file, first=2)
    if not isinstance(value.content, dict):
        raise UserError("front_matter_not_mapping", Where(file, 2))
    return value.content


KIND, NUMBER = "법령구분", "공포번호"


def read_tree(path: Path, progress: Progress | None = None) -> list[Statute]:
    """Read the statutes of every ``.md`` file under `path`, sorted by file path.

    `path` may be a single file. `progress` is called with (files read, total). Files named
    README.md, hidden folders and files, linked folders, and links that lead out of the tree are
    skipped. Raises UserError for anything that the user must fix.
    """
    return lengthen_ids(parse(*each) for each in statute_texts(path, (".md",), progress))


def parse(text: str, file: str) -> tuple[Statute, int]:
    """Return the statute in a text, and the line of its title; `file` is its path in the tree.

    Raises UserError naming file, line and field of an error.
    """
    fields, taken = read_front_matter(text.removeprefix("\ufeff"), file)
    title, kind = fields.text(TITLE), fields.text(KIND)
    tier = tier_of(kind, fields.where(KIND))
    semantic_id = statute_name(title, fields.where(TITLE))
    body = split_body(text.split("\n")[taken:], taken + 1, file)
    statute = Statute(
        semantic_id=semantic_id,
        title=title,
        kind=kind,
        tier=tier,
        language=language_of(title),
        units=(),
        promulgated=fields.day("공포일자"),
        number=fields.optional_text(NUMBER).lstrip("0"),
        effective=fields.day("시행일자"),
        source=fields.optional_text("출처"),
        file=file,
        jurisdiction=jurisdiction_of(fields.optional_text(FIELD), fields.where(FIELD)),
    )
    return with_units(statute, body, listed(fields)), fields.values[TITLE].line
