"""The child process that reads and draws pages: the tasks of `corpus.ocr.isolated`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from PIL import Image

from corpus.ocr import images, pdf
from corpus.ocr.blocks import as_json, words_as_json
from corpus.ocr.drafting import prepared
from corpus.ocr.images import Limits, Picture, encoded, opened
from corpus.ocr.lines import Grid
from corpus.ocr.tesseract_tsv import grids_of
from corpus.sandbox import child
from corpus.sandbox.child import Frame


def count(request: Any, _: Sequence[bytes]) -> Frame:
    """Count the pages of a file."""
    path, name, limits = _request(request)
    is_pdf = request["kind"] == "pdf"
    return Frame(pdf.count_pages(path, name) if is_pdf else images.count_images(path, name, limits))


def page(request: Any, _: Sequence[bytes]) -> Frame:
    """Read one page of a file: its image, and the draft from its own text."""
    path, name, limits = _request(request)
    number, draft = int(request["number"]), None
    if request["kind"] == "pdf":
        picture, draft = pdf.read_page(path, name, limits, number)
    else:
        picture = images.read_image(path, name, limits, number)
    said = draft and {"blocks": as_json(draft.blocks), "words": words_as_json(draft.words)}
    return Frame({"picture": _about(picture), "draft": said}, [picture.content])


def prepare(request: Any, blocks: Sequence[bytes]) -> Frame:
    """Clean a stored page, or a part of it, and cut it into pictures for an engine."""
    box = None if request["box"] is None else tuple(request["box"])
    made = prepared(opened(blocks[0]), box)
    said = {"size": made.size, "scale": made.scale, "width": made.width}
    grids = [_grid(grid) for grid in made.grids]
    return Frame(said | {"grids": grids}, [made.rest, *made.cells])


def shrink(request: Any, blocks: Sequence[bytes]) -> Frame:
    """Scale a stored page down."""
    picture = opened(blocks[0])
    picture.thumbnail((request["longest"], request["longest"]), Image.Resampling.LANCZOS)
    content, media_type = encoded(picture)
    return Frame(_about(Picture(b"", media_type, picture.width, picture.height)), [content])


def tables(_: Any, blocks: Sequence[bytes]) -> Frame:
    """Find the ruled tables of a stored page."""
    return Frame([[_grid(grid), scale] for grid, scale in grids_of(opened(blocks[0]))])


def _request(request: Any) -> tuple[Path, str, Limits]:
    """Return path, name and limits of a request."""
    return Path(request["path"]), request["name"], Limits(**request["limits"])


def _about(picture: Picture) -> dict[str, Any]:
    """Return a picture's properties as JSON values."""
    said = asdict(picture)
    del said["content"]
    return said


def _grid(grid: Grid) -> list[Any]:
    """Return a grid as JSON values."""
    return [grid.across, grid.down, grid.places]


TASKS = {"count": count, "page": page, "prepare": prepare, "shrink": shrink, "tables": tables}

if __name__ == "__main__":
    child.serve(TASKS)
