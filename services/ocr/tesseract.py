"""Tesseract as a subprocess: images in, lines of words out; also for a single region.

One call reads many images, since loading a language takes longer than reading a cell. It has one
thread, a time limit, and access to a temporary folder only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from annotation.people.roles import Act, reading_as
from corpus.ocr import isolated
from corpus.ocr.blocks import Box, WordLine, as_json
from corpus.ocr.cleaning import DPI
from corpus.ocr.drafting import drafted
from corpus.ocr.tesseract_tsv import read_tsv
from errors import UserError
from normalization import composed
from storage.db.workspace import Workspace
from storage.ocr import PageInfo, image_content, page_of_project

ENGINE = "tesseract"
LANGUAGES = {"ko": "kor", "en": "eng"}
PACKAGES = "tesseract-ocr tesseract-ocr-kor"
_COLUMNS, _EVEN = "3", "6"  # page segmentation modes: detect columns; one uniform block
_SECONDS = 60.0  # base time limit, plus a little per picture
_SECONDS_EACH = 2.0
_TIDY = "preserve_interword_spaces=1"  # else Korean comes with a space after every syllable


def version(language: str = "ko") -> str | None:
    """Return Tesseract's version, None where it or the language is not installed."""
    found = _installed()
    return None if found is None or LANGUAGES[language] not in found[1] else found[0]


def required_version(language: str = "ko") -> str:
    """Return Tesseract's version. Raises UserError where it or the language is not installed."""
    found = version(language)
    if found is None:
        raise UserError("tesseract_absent", language=LANGUAGES[language], packages=PACKAGES)
    return found


def read(pictures: Sequence[bytes], whole: bool, language: str) -> list[list[WordLine]]:
    """Return the lines of each image (PNG): whole pages with columns, or uniform blocks.

    Raises UserError where Tesseract is not installed, fails or takes too long.
    """
    required_version(language)
    if not pictures:
        return []
    with tempfile.TemporaryDirectory(prefix="touchstone-ocr-") as name:
        folder = Path(name)
        paths = [folder / f"{number}.png" for number in range(len(pictures))]
        for picture, path in zip(pictures, paths, strict=True):
            path.write_bytes(picture)
        listed = folder / "pictures.txt"
        listed.write_text("".join(f"{path}\n" for path in paths), "utf-8")
        _run(folder, listed, whole, language, _SECONDS + _SECONDS_EACH * len(pictures))
        read = (folder / f"read.{ending}" for ending in ("tsv", "txt"))
        tsv, text = (composed(e.read_text("utf-8", "replace")) if e.exists() else "" for e in read)
    return read_tsv(tsv, text, len(pictures))


def _run(folder: Path, listed: Path, whole: bool, language: str, seconds: float) -> None:
    """Run Tesseract on the listed images. Raises UserError if it fails or takes too long."""
    command = [shutil.which(ENGINE) or ENGINE, str(listed), str(folder / "read")]
    command += ["-l", LANGUAGES[language], "--psm", _COLUMNS if whole else _EVEN]
    command += ["--dpi", str(DPI), "-c", _TIDY, "tsv", "txt"]
    environment = os.environ | {"OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(  # noqa: S603  (no shell, and every word is ours)
            command, capture_output=True, timeout=seconds, env=environment, cwd=folder
        )
    except subprocess.TimeoutExpired as error:
        raise UserError("tesseract_slow", seconds=round(seconds)) from error
    except OSError as error:
        raise UserError("tesseract_failed", reason=error.strerror or str(error)) from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UserError("tesseract_failed", reason=said[-1] if said else str(done.returncode))


@cache
def _installed() -> tuple[str, frozenset[str]] | None:
    """Return Tesseract's version and languages, cached per process; None where it does not run."""
    program = shutil.which(ENGINE)
    if program is None:
        return None
    try:
        said = subprocess.run([program, "--version"], capture_output=True, timeout=20)  # noqa: S603
        listed = subprocess.run([program, "--list-langs"], capture_output=True, timeout=20)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    first = (said.stdout or said.stderr).decode("utf-8", "replace").split()[:2]
    names = (listed.stdout + listed.stderr).decode("utf-8", "replace").split()
    return (first[1] if len(first) > 1 else "?"), frozenset(names)


_LEAST = 4  # pixels on a side


def read_region(
    ws: Workspace, project_slug: str, page_id: int, box: Sequence[int], by: int | None = None
) -> list[dict[str, Any]]:
    """Read a region with Tesseract; `box` is [left, top, right, bottom] in pixels.

    Nothing is stored: the person decides what to use in their answer. Blocks have boxes of the
    whole page. Raises UserError for `by` who may not correct in the project, for an unknown page,
    for a box that is too small or outside, and where Tesseract is not installed.
    """
    with reading_as(ws, project_slug, by, Act.ANNOTATE) as (session, project, _):
        page = page_of_project(session, project.id, page_id)
        within = _clipped(box, page)
        _, content = image_content(session, page.image_id)
    reader = partial(read, language=page.language)
    part = isolated.prepared(content, page.external_id, within)
    return as_json(drafted(part, reader).blocks)


def _clipped(box: Sequence[int], page: PageInfo) -> Box:
    """Return the part of a box on the page. Raises UserError if it is too small or outside."""
    if len(box) != 4:
        raise UserError("region_outside")
    left, top = max(0, box[0]), max(0, box[1])
    right, bottom = min(page.width, box[2]), min(page.height, box[3])
    if right - left < _LEAST or bottom - top < _LEAST:
        raise UserError("region_outside")
    return left, top, right, bottom
