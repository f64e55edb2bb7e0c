"""Reading and drawing of pages in child processes, so that no file can stop or crash this one.

A PDF of some hundred bytes can keep a reader busy for hours, and an image can unpack to gigabytes
or crash its decoder. So everything that opens, draws, cleans or measures one runs in a child under
limits (`corpus.sandbox.pool`; the tasks are `corpus.ocr.worker`). A child's answers are validated
here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from corpus.ocr.blocks import Box, Word, of_json
from corpus.ocr.drafting import Draft, Prepared
from corpus.ocr.images import Limits, Picture
from corpus.ocr.lines import Grid
from corpus.sandbox.child import Frame
from corpus.sandbox.pool import Bounds, ChildError, ChildPool
from errors import UserError, Where

PDF, IMAGE = "pdf", "image"
BOUNDS = Bounds()
PDF_SECONDS = 8.0  # processor time for a page of a PDF, which is usually drawn in less than one
POOL = ChildPool("corpus.ocr.worker", max(1, min(4, os.cpu_count() or 1)))
_BEGINS = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
_OF_FILE = {"slow": "file_slow", "large": "file_memory", "crashed": "file_crashed"}
_OF_PAGE = {"slow": "page_slow", "large": "page_memory", "crashed": "page_crashed"}
_GROWN = 1.3  # the most that a page may grow by straightening


def count_pages(path: Path, name: str, limits: Limits, kind: str) -> int:
    """Count the pages of a file; `kind` is `PDF` or `IMAGE`.

    Raises UserError as `corpus.ocr.pdf.count_pages` and `corpus.ocr.images.count_images` do, and
    for a file that takes too much time or memory or crashes its reader.
    """
    asked = _task_value(path, name, limits, kind)
    return int(_run("count", asked, (), name).value)


def read_page(
    path: Path, name: str, limits: Limits, kind: str, number: int
) -> tuple[Picture, Draft | None]:
    """Return a page, counting from 1, and the draft from its own text, if any.

    Raises UserError as `corpus.ocr.pdf.read_page` and `corpus.ocr.images.read_image` do, and for a
    page that takes too much time or memory or crashes its reader.
    """
    asked = _task_value(path, name, limits, kind) | {"number": number}
    made = _run("page", asked, (), name, number)
    with _checked(name, number):
        draft = made.value["draft"]
        picture = _picture(made.value["picture"], made.blocks[0], limits)
        return picture, None if draft is None else _draft(draft)


def prepared(content: bytes, name: str, box: Box | None = None) -> Prepared:
    """Prepare a stored page, or its part in `box`, for an engine.

    Raises UserError, naming the page, for one that takes too much time or memory.
    """
    made = _run("prepare", {"box": box}, [content], name)
    with _checked(name):
        said, (rest, *cells) = made.value, made.blocks
        grids = tuple(_grid(each) for each in said["grids"])
        if len(cells) != sum(len(grid.places) for grid in grids):
            raise ValueError("not a picture for each cell")
        size = int(said["size"][0]), int(said["size"][1])
        scale, width = float(said["scale"]), int(said["width"])
        return Prepared(size, scale, width, grids, rest, tuple(cells), box)


def shrunk(content: bytes, name: str, longest: int) -> Picture:
    """Scale a stored page down so that no side has more than `longest` pixels.

    Raises UserError as `prepared` does.
    """
    made = _run("shrink", {"longest": longest}, [content], name)
    with _checked(name):
        return _picture(made.value, made.blocks[0], Limits())


def ruled_tables(content: bytes, name: str) -> list[tuple[Grid, float]]:
    """Return the ruled tables of a stored page, as `corpus.ocr.tesseract_tsv.grids_of` does.

    Raises UserError as `prepared` does.
    """
    made = _run("tables", {}, [content], name)
    with _checked(name):
        return [(_grid(grid), float(scale)) for grid, scale in made.value]


def _task_value(path: Path, name: str, limits: Limits, kind: str) -> dict[str, Any]:
    """Return the description of a file for the child process."""
    said = {"path": str(path.resolve()), "name": name, "kind": kind}
    return said | {"limits": asdict(limits)}


def _run(
    task: str, value: Any, blocks: Sequence[bytes], name: str, number: int | None = None
) -> Frame:
    """Run a task in a child process, bounded in time. Raises UserError if it fails."""
    most = PDF_SECONDS if value.get("kind") == PDF else BOUNDS.processor
    bounds = replace(BOUNDS, processor=min(most, BOUNDS.processor))
    try:
        return POOL.run(task, value, blocks, bounds)
    except ChildError as error:
        raise _ended(error.why, name, number, bounds) from error


def _ended(why: str, name: str, number: int | None, bounds: Bounds = BOUNDS) -> UserError:
    """Return the error for a page that could not be read."""
    seconds = f"{bounds.processor:.0f}"
    if number is None:
        return UserError(_OF_FILE[why], Where(name), seconds=seconds)
    return UserError(_OF_PAGE[why], Where(name), page=number, seconds=seconds)


@contextmanager
def _checked(name: str, number: int | None = None) -> Iterator[None]:
    """Convert an invalid answer of the reader to its failure."""
    try:
        yield
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise _ended("crashed", name, number) from error


def _picture(values: Any, content: bytes, limits: Limits) -> Picture:
    """Return the page that a child process made; raise ValueError if it is none."""
    kind, width, height = str(values["media_type"]), int(values["width"]), int(values["height"])
    if not content.startswith(_BEGINS[kind]) or not 0 < width * height <= limits.kept * _GROWN:
        raise ValueError("not a page")
    return Picture(content, kind, width, height, float(values["turned"]))


def _draft(values: Any) -> Draft:
    """Return the draft that a child process made; raise for an invalid one."""
    words = tuple(
        Word(str(text), (int(left), int(top), int(right), int(bottom)), None)
        for text, left, top, right, bottom, _ in values["words"]
    )
    return Draft(of_json(values["blocks"]), words)


def _grid(values: Any) -> Grid:
    """Return the grid that a child process made; raise for an invalid one."""
    across, down, places = values
    grid = Grid(
        tuple(map(int, across)),
        tuple(map(int, down)),
        tuple((int(r), int(c), int(rows), int(columns)) for r, c, rows, columns in places),
    )
    for place in grid.places:
        grid.box_of(place)  # raises if its edges are missing
    return grid
