"""A scanned page made fit for an engine: noise off, paper white, letters of the size it knows.

Tesseract's Korean model reads letters of about 11 points at 200 dots per inch best; larger ones it
takes apart. What was tried, and how many letters were wrong, is told in docs/ocr.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from scipy import ndimage

from corpus.ocr.straighten import dark, otsu

LETTER = 27.0  # height in pixels of a large letter, at which engines read best
DPI = 200  # what that size is for print of 11 points
_SMALLEST, _LARGEST = 0.35, 3.0
_CLOSE = 0.15  # scales this near to 1 are left alone: every resampling blurs
_MOST_PIXELS = 16_000_000  # of the scaled page
_FEW = 12  # letters below which nothing is known about their size


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A page for an engine: grey, and `scale` times as large as the one it was made of."""

    image: Image.Image
    scale: float
    paper: int


def cleaned(image: Image.Image) -> Cleaned:
    """Return the page with its noise taken off and its letters scaled to a readable size."""
    grey = image.convert("L")
    smooth = grey.filter(ImageFilter.MedianFilter(3))
    scale = _scale(smooth)
    if scale != 1.0:
        size = max(1, round(grey.width * scale)), max(1, round(grey.height * scale))
        smooth = smooth.resize(size, Image.Resampling.LANCZOS)
    soft = smooth.filter(ImageFilter.GaussianBlur(0.8))
    return Cleaned(*_contrast(soft, scale))


def letter_height(image: Image.Image) -> float | None:
    """Return how many pixels high the larger letters are, None where there are too few.

    In large print the parts of a Hangul syllable lie apart, so what is close is joined first.
    """
    ink = dark(image)
    parts = _height(ink, 0)
    return None if parts is None else _height(ink, max(1, round(parts / 8)))


def _height(ink: NDArray[np.bool_], reach: int) -> float | None:
    joined = ndimage.binary_dilation(ink, np.ones((2 * reach + 1, reach + 1))) if reach else ink
    labels, _ = ndimage.label(joined, structure=np.ones((3, 3)))
    heights, most = [], ink.shape[0] / 4
    for rows, columns in ndimage.find_objects(labels):
        height, width = rows.stop - rows.start - 2 * reach, columns.stop - columns.start - reach
        if 6 <= height <= most and width >= 3 and height <= 8 * width and width <= 20 * height:
            heights.append(height)
    return float(np.quantile(heights, 0.7)) if len(heights) >= _FEW else None


def _scale(grey: Image.Image) -> float:
    height = letter_height(grey)
    if height is None:
        return 1.0
    wanted = min(max(LETTER / height, _SMALLEST), _LARGEST)
    room = (_MOST_PIXELS / (grey.width * grey.height)) ** 0.5
    return 1.0 if abs(wanted - 1.0) <= _CLOSE and room >= 1.0 else min(wanted, room)


def _contrast(grey: Image.Image, scale: float) -> tuple[Image.Image, float, int]:
    """Spread the greys from ink to a little below the paper's, which becomes white."""
    pixels = np.asarray(grey)
    threshold = otsu(pixels)
    light = pixels >= threshold
    if light.all() or not light.any():
        return grey, scale, 255
    ink, paper = float(np.median(pixels[~light])), float(np.median(pixels[light]))
    white = paper - (paper - ink) / 4
    spread = (pixels - ink) / max(1.0, white - ink) * 255
    return Image.fromarray(spread.clip(0, 255).astype(np.uint8)), scale, 255
