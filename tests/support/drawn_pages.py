"""Pages of law drawn for tests: clean PDFs with a text layer, and the same page as a bad scan."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import pymupdf
from PIL import Image, ImageFilter

Cell = tuple[int, int, int, int, str]  # row, column, row span, column span, text

HEADING = "소방시설을 설치해야 하는 건축물의 범위(제12조 관련)"
PARAGRAPHS = (
    "1. 다음 각 목의 어느 하나에 해당하는 건축물에는 자동화재탐지설비를 설치해야 한다.",
    "가. 연면적 600제곱미터 이상인 숙박시설, 의료시설 및 노유자시설",
    "나. 지하층 또는 무창층으로서 바닥면적이 150제곱미터 이상인 층",
)
CELLS: tuple[Cell, ...] = (
    (0, 0, 1, 2, "구분"),
    (0, 2, 1, 2, "기준"),
    (1, 0, 2, 1, "소화설비"),
    (1, 1, 1, 1, "옥내소화전설비"),
    (1, 2, 1, 1, "지하층 포함"),
    (1, 3, 1, 1, "모든 층"),
    (2, 1, 1, 1, "스프링클러설비"),
    (2, 2, 1, 1, "무창층"),
    (2, 3, 1, 1, "6층 이상"),
    (3, 0, 2, 1, "경보설비"),
    (3, 1, 1, 1, "자동화재탐지설비"),
    (3, 2, 1, 1, "연면적 600"),
    (3, 3, 1, 1, "숙박시설"),
    (4, 1, 1, 1, "비상방송설비"),
    (4, 2, 1, 1, "연면적 3500"),
    (4, 3, 1, 1, "11층 이상"),
)
NOTE = "비고: 위 표에서 연면적은 건축법에 따라 산정한 면적을 말한다."
ACROSS = (60, 150, 330, 440, 535)
ROW = 30  # points


def drawn(
    heading: str = HEADING,
    paragraphs: Sequence[str] = PARAGRAPHS,
    cells: Sequence[Cell] = CELLS,
    note: str = NOTE,
    across: Sequence[int] = ACROSS,
    open_sides: bool = False,
) -> bytes:
    """Return a PDF of one A4 page; `across` are the points at which columns divide.

    The font is the one that PyMuPDF brings along. `open_sides` leaves the outer vertical lines
    away, as many tables of Korean statutes do.
    """
    return _drawn(heading, tuple(paragraphs), tuple(cells), note, tuple(across), open_sides)


@lru_cache(maxsize=64)
def _drawn(
    heading: str,
    paragraphs: tuple[str, ...],
    cells: tuple[Cell, ...],
    note: str,
    across: tuple[int, ...],
    open_sides: bool,
) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        font = pymupdf.Font("korea")
        page.insert_font(fontname="ko", fontbuffer=font.buffer)

        def put(x: float, y: float, text: str, size: float = 11) -> None:
            page.insert_text((x, y), text, fontname="ko", fontsize=size)

        put((595 - font.text_length(heading, 15)) / 2, 100, heading, 15)
        for number, text in enumerate(paragraphs):
            put(60, 150 + 20 * number, text)
        top = 170 + 20 * len(paragraphs)
        for row, column, rows, columns, text in cells:
            left, right = across[column], across[column + columns]
            upper, lower = top + ROW * row, top + ROW * (row + rows)
            lines = [((left, upper), (right, upper)), ((left, lower), (right, lower))]
            lines += [
                ((x, upper), (x, lower)) for x in (left, right) if not _outer(x, across, open_sides)
            ]
            for start, end in lines:
                page.draw_line(start, end, width=0.8)
            put((left + right - font.text_length(text, 11)) / 2, (upper + lower) / 2 + 4, text)
        bottom = top + ROW * max((cell[0] + cell[2] for cell in cells), default=0)
        put(60, bottom + 40, note)
        return bytes(document.tobytes())


def _outer(x: int, across: Sequence[int], open_sides: bool) -> bool:
    return open_sides and x in (across[0], across[-1])


def scanned(
    pdf: bytes, angle: float = 1.5, noise: float = 18, seed: int = 1, dpi: int = 200
) -> Image.Image:
    """Return the first page as a bad scan: turned by `angle` degrees, greyed, with specks."""
    return _scanned(pdf, angle, noise, seed, dpi).copy()


@lru_cache(maxsize=16)  # of four million bytes each
def _scanned(pdf: bytes, angle: float, noise: float, seed: int, dpi: int) -> Image.Image:
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        pixmap = document[0].get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
    image = Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)
    turned = image.rotate(angle, Image.Resampling.BICUBIC, fillcolor=255)
    rng = np.random.default_rng(seed)
    greys = np.asarray(turned, dtype=float) * 0.9 + 15
    if noise:
        greys += rng.normal(0, noise, greys.shape)
        greys[rng.random(greys.shape) < 0.001] = 0
    scan = Image.fromarray(greys.clip(0, 255).astype(np.uint8))
    return scan.filter(ImageFilter.GaussianBlur(0.7)) if noise else scan


def scanned_pdf(*scans: Image.Image) -> bytes:
    """Return a PDF whose pages are these images and that has no text of its own.

    The same images make the same bytes, though every PDF is made with a name of its own.
    """
    return _bound(tuple(png(scan) for scan in scans))


@lru_cache(maxsize=32)
def _bound(pictures: tuple[bytes, ...]) -> bytes:
    with pymupdf.open() as document:
        for picture in pictures:
            page = document.new_page(width=595, height=842)
            page.insert_image(page.rect, stream=picture)
        return bytes(document.tobytes())


def png(image: Image.Image) -> bytes:
    """Return the image as PNG, packed quickly rather than tightly."""
    return _packed(image.mode, image.size, image.tobytes())


@lru_cache(maxsize=16)
def _packed(mode: str, size: tuple[int, int], pixels: bytes) -> bytes:
    out = io.BytesIO()
    Image.frombytes(mode, size, pixels).save(out, "PNG", compress_level=1)
    return out.getvalue()


def written(folder: Path, name: str, content: bytes) -> Path:
    """Write a file and return where it is."""
    path = folder / name
    path.write_bytes(content)
    return path
