"""How far a scanned page is turned, and the page turned back.

The angle is the one at which the rows of dark pixels, summed along it, differ most from one to the
next: text lines and ruled lines then lie in few rows (projection profile; W. Postl, Detection of
linear oblique structures and skew scan in digitized documents, ICPR 1986).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]
MOST = 7.0  # degrees that are looked at on either side
LEAST = 0.15  # degrees below which a page is left as it is
_WIDTH = 1000  # pixels that are enough to measure on
_MOST_POINTS = 200_000


def dark(image: Image.Image) -> NDArray[np.bool_]:
    """Return which pixels are ink, by the threshold of Otsu (1979) on smoothed greys."""
    grey = np.asarray(image.convert("L"))
    return grey < otsu(grey)


def otsu(grey: Pixels) -> int:
    """Return the grey that best divides ink from paper; 128 where there is one grey only."""
    counts = np.bincount(grey.ravel(), minlength=256).astype(np.float64)
    below, sums = np.cumsum(counts), np.cumsum(counts * np.arange(256))
    total, whole = below[-1], sums[-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (whole * below - total * sums) ** 2 / (below * (total - below))
    between = np.nan_to_num(between, nan=0.0, posinf=0.0)
    return int(between.argmax()) + 1 if between.any() else 128


def skew(image: Image.Image) -> float:
    """Return by how many degrees the page is turned anticlockwise; 0.0 where nothing tells.

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
    """Return the page turned back and by how many degrees it was turned, 0.0 for not at all."""
    angle = skew(image)
    if abs(angle) < LEAST:
        return image, 0.0
    white = 255 if image.mode == "L" else (255, 255, 255)
    turned = image.rotate(-angle, Image.Resampling.BICUBIC, expand=True, fillcolor=white)
    return turned, angle


def _angles(middle: float, reach: float, step: float) -> list[float]:
    count = round(reach / step)
    # The least turn comes first: max() keeps the first of equals.
    return sorted((middle + step * n for n in range(-count, count + 1)), key=abs)


def _sharpness(x: NDArray[np.float64], y: NDArray[np.float64], angle: float) -> float:
    rows = y + x * np.tan(np.radians(angle))
    counts = np.bincount((rows - rows.min()).astype(np.int64))
    return float((np.diff(counts.astype(np.float64)) ** 2).sum())
