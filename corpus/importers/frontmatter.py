"""Read the YAML front matter of a statute file."""

from __future__ import annotations

from corpus.files.yaml_fields import Fields, Value, read_value
from errors import UserError, Where

MAX_CHARACTERS = 1024 * 1024
FENCE = "---"


def read_front_matter(text: str, file: str) -> tuple[Fields, int]:
    """Return the fields before the body, and the number of lines they and their fences take.

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
    if len(text) > MAX_CHARACTERS:
        raise UserError("front_matter_large", Where(file, 1), limit=MAX_CHARACTERS)
    value = read_value(text, file, first=2)
    if not isinstance(value.content, dict):
        raise UserError("front_matter_not_mapping", Where(file, 2))
    return value.content
