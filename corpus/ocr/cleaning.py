"""Preparation of a scanned page for OCR: noise removal, deskewing, white paper, letter size.

Tesseract's Korean model reads letters of about 11 points at 200 dots per inch best; larger ones it
splits. The experiments, with their error rates, are in docs/ocr.md.

Deskewing finds the angle at which the rows of dark pixels, summed along it, differ most from one to
the next: text lines and ruled lines then lie in few rows (projection profile; W. Postl, Detection
of linear oblique structures and skew scan in digitized documents, ICPR 1986).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from scipy import ndimage

Pixels = NDArray[np.uint8]
MOST = 7.0  # degrees examined on either side
LEAST = 0.15  # degrees below which a page is left as it is
_WIDTH = 1000  # pixels that suffice for measuring
_MOST_POINTS = 200_000


def dark(image: Image.Image) -> NDArray[np.bool_]:
    """Return the mask of ink pixels: those darker than the threshold of Otsu (1979)."""
    grey = np.asarray(image.convert("L"))
    return grey < otsu(grey)


def otsu(grey: Pixels) -> int:
    """Return the grey level that best separates ink from paper; 128 for a uniform image."""
    counts = np.bincount(grey.ravel(), minlength=256).astype(np.float64)
    below, sums = np.cumsum(counts), np.cumsum(counts * np.arange(256))
    total, whole = below[-1], sums[-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (whole * below - total * sums) ** 2 / (below * (total - below))
    between = np.nan_to_num(between, nan=0.0, posinf=0.0)
    return int(between.argmax()) + 1 if between.any() else 128


def skew(image: Image.Image) -> float:
    """Return the angle of the page in degrees anticlockwise; 0.0 if undetectable.

    Rotating the image by minus this many degrees (Pillow counts anticlockwise) straightens it.
    """
    small = image.convert("L")
    if small.width > _WIDTH:
        small = small.resize((_WIDTH, max(1, round(small.height * _WIDTH / small.width))))
    rows, columns = np.nonzero(dark(small))
    if rows.size < 50 or rows.size > 0.4 * small.width * small.height:
        return 0.0
    step = max(1, rows.size // _MOST_POINTS)
    y, x = rows[::step].astype(np.float64), columns[::step].astype(np.float64)
    coarse = max(_angles(0.0, MOST, 0.5), key=lambda angle: _sharpness(x, y, angle))
    fine = max(_angles(coarse, 0.5, 0.05), key=lambda angle: _sharpness(x, y, angle))
    return round(fine, 2) if abs(fine) < MOST else 0.0


def straightened(image: Image.Image) -> tuple[Image.Image, float]:
    """Return the deskewed page and the angle by which it was turned, 0.0 if unchanged."""
    angle = skew(image)
    if abs(angle) < LEAST:
        return image, 0.0
    white = 255 if image.mode == "L" else (255, 255, 255)
    turned = image.rotate(-angle, Image.Resampling.BICUBIC, expand=True, fillcolor=white)
    return turned, angle


def _angles(middle: float, reach: float, step: float) -> list[float]:
    """Return the angles to try, nearest to 0 first."""
    count = round(reach / step)
    # The smallest angle comes first: max() keeps the first of equals.
    return sorted((middle + step * n for n in range(-count, count + 1)), key=abs)


def _sharpness(x: NDArray[np.float64], y: NDArray[np.float64], angle: float) -> float:
    """Return the sharpness of the ink's row profile at an angle; highest when lines are level."""
    rows = y + x * np.tan(np.radians(angle))
    counts = np.bincount((rows - rows.min()).astype(np.int64))
    return float((np.diff(counts.astype(np.float64)) ** 2).sum())


PAPER = 255  # the grey of a cleaned page's paper
LETTER = 27.0  # the height in pixels of a large letter that engines read best
DPI = 200  # the resolution at which print of 11 points has that size
_SMALLEST, _LARGEST = 0.35, 3.0
_CLOSE = 0.15  # scales this close to 1 are not applied: every resampling blurs
_MOST_PIXELS = 16_000_000  # of the scaled page
_FEW = 12  # with fewer letters their size is unknown


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A grey page for an engine, `scale` times as large as the original."""

    image: Image.Image
    scale: float


def cleaned(image: Image.Image) -> Cleaned:
    """Return the page in grey without noise, on white, its letters scaled to a readable size."""
    grey = image.convert("L")
    smooth = grey.filter(ImageFilter.MedianFilter(3))
    scale = _scale(smooth)
    if scale != 1.0:
        size = max(1, round(grey.width * scale)), max(1, round(grey.height * scale))
        smooth = smooth.resize(size, Image.Resampling.LANCZOS)
    soft = smooth.filter(ImageFilter.GaussianBlur(0.8))
    return Cleaned(_contrast(soft), scale)


def letter_height(image: Image.Image) -> float | None:
    """Return the height of the larger letters in pixels, None if there are too few.

    In large print the parts of a Hangul syllable are separate, so close parts are joined first.
    """
    ink = dark(image)
    parts = _height(ink, 0)
    return None if parts is None else _height(ink, max(1, round(parts / 8)))


def _height(ink: NDArray[np.bool_], reach: int) -> float | None:
    """Return a high quantile of ink heights, letters joined within reach; None if too few."""
    joined = ndimage.binary_dilation(ink, np.ones((2 * reach + 1, reach + 1))) if reach else ink
    labels, _ = ndimage.label(joined, structure=np.ones((3, 3)))
    heights, most = [], ink.shape[0] / 4
    for rows, columns in ndimage.find_objects(labels):
        height, width = rows.stop - rows.start - 2 * reach, columns.stop - columns.start - reach
        if 6 <= height <= most and width >= 3 and height <= 8 * width and width <= 20 * height:
            heights.append(height)
    return float(np.quantile(heights, 0.7)) if len(heights) >= _FEW else None


def _scale(grey: Image.Image) -> float:
    """Return the factor that brings letters to the height OCR reads best, within the page limit."""
    height = letter_height(grey)
    if height is None:
        return 1.0
    wanted = min(max(LETTER / height, _SMALLEST), _LARGEST)
    room = (_MOST_PIXELS / (grey.width * grey.height)) ** 0.5
    return 1.0 if abs(wanted - 1.0) <= _CLOSE and room >= 1.0 else min(wanted, room)


def _contrast(grey: Image.Image) -> Image.Image:
    """Stretch the greys from ink to a little below the paper's, which becomes white."""
    pixels = np.asarray(grey)
    threshold = otsu(pixels)
    light = pixels >= threshold
    if light.all() or not light.any():
        return grey
    ink, paper = float(np.median(pixels[~light])), float(np.median(pixels[light]))
    white = paper - (paper - ink) / 4
    spread = (pixels - ink) / max(1.0, white - ink) * 255
    return Image.fromarray(spread.clip(0, 255).astype(np.uint8))
