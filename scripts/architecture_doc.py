"""Write the rooms and the picture of docs/architecture.md from the folders that are there.

The words of the page are written by hand; each row of its table that names a feature in bold gets
its rooms from the tree, and docs/images/architecture.svg draws the same: floors as layers, rooms
as columns. What a floor is and which lies above which stands in the import contract.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "images" / "architecture.svg"
LAYERS = [
    tuple(layer.split(" | "))
    for layer in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]["contracts"][0]["layers"]
]
FLOORS = [floor for layer in LAYERS for floor in layer]
_FEATURE = re.compile(r"^(\|[^|]+\| \*\*(\w+)\*\*)[^|]*\|$", re.MULTILINE)
_LEFT, _TOP, _CELL, _RIGHT = 110, 104, 27, 420


def features() -> list[str]:
    """Return the names of the features in the order of the page's table."""
    return [name for _, name in _FEATURE.findall(TARGET.read_text(encoding="utf-8"))]


def folders(floor: str) -> list[str]:
    """Return the rooms of a floor that are folders."""
    return sorted(each.name for each in (ROOT / floor).glob("[a-z]*/"))


def modules(floor: str) -> list[str]:
    """Return the modules that lie on a floor outside its folders."""
    return sorted(each.stem for each in (ROOT / floor).glob("*.py") if each.stem != "__init__")


def room(floor: str, feature: str) -> str | None:
    """Return the path of a feature's room on a floor: a folder, a module, or none."""
    paths = (f"{floor}/{feature}/", f"{floor}/{feature}.py")
    return next((path for path in paths if (ROOT / path).exists()), None)


def render() -> str:
    """Return the page with the rooms of each feature as they are."""

    def row(match: re.Match[str]) -> str:
        """Return a row of links to a room's folders."""
        rooms = ((floor, room(floor, match[2])) for floor in FLOORS)
        links = [f"[{floor}](../{path})" for floor, path in rooms if path]
        return f"{match[1]}: {' · '.join(links)} |"

    return _FEATURE.sub(row, TARGET.read_text(encoding="utf-8"))


def picture() -> str:
    """Return the drawing: a row a floor, a column a feature, a square where it has a room."""
    names = features()
    right = _LEFT + _CELL * len(names) + 14
    drawn = [_text(right, _TOP - 12, "rooms that features share", "b")]
    for column, name in enumerate(names):
        x = _LEFT + _CELL * column + _CELL // 2 + 3
        drawn.append(
            f'<text transform="translate({x} {_TOP - 10}) rotate(-50)" class="b">{name}</text>'
        )
    y = _TOP
    for layer in LAYERS:
        height = _CELL * len(layer)
        width = right + _RIGHT - 8
        drawn.append(f'<rect x="4" y="{y}" width="{width}" height="{height}" class="floor"/>')
        for floor in layer:
            drawn += _floor(floor, y, names, right)
            y += _CELL
        y += 6
    drawn.append(
        _text(12, y + 14, "Arrows point down only: a floor imports what lies below it.", "n")
    )
    return _svg(right + _RIGHT, y + 26, drawn)


def _floor(floor: str, y: int, names: list[str], right: int) -> list[str]:
    """Return the SVG elements of a floor, with a square per room that it has."""
    drawn = [_text(12, y + 18, floor, "b")]
    for column, name in enumerate(names):
        if path := room(floor, name):
            place = f'x="{_LEFT + _CELL * column + 3}" y="{y + 4}"'
            drawn.append(
                f'<rect {place} width="21" height="19" class="room"><title>{path}</title></rect>'
            )
    shared = [folder for folder in folders(floor) if folder not in names]
    return [*drawn, _text(right, y + 18, " ".join(shared), "n")]


def _text(x: int, y: int, text: str, kind: str) -> str:
    """Return an SVG text element."""
    return f'<text x="{x}" y="{y}" class="{kind}">{text}</text>'


def _svg(width: int, height: int, drawn: list[str]) -> str:
    """Return the SVG file that holds these elements."""
    style = (
        "text{font:12px sans-serif;fill:#1f2933}.b{font-weight:600}.n{fill:#52606d}"
        ".floor{fill:#f1f4f8;stroke:#c3ccd6}.room{fill:#2f6f9f}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    ground = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return "\n".join([head, f"<style>{style}</style>", ground, *drawn, "</svg>", ""])


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
    PICTURE.write_text(picture(), encoding="utf-8")
