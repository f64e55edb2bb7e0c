"""Page images: opened safely and within limits, set upright, and encoded for storage.

An image declares its size before it is unpacked; one that is too large is refused then.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from corpus.ocr.cleaning import straightened
from errors import UserError, Where

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one file: excess is refused before it is unpacked.

    `pages` is the most pages per import. `pixels` bounds an image's declared size, since a file of
    some kilobytes can unpack to gigabytes; `kept` is the size that pages are scaled down to.
    """

    file_bytes: int = 256 * MIB
    pages: int = 300
    pixels: int = 64_000_000
    kept: int = 16_000_000
    side: int = 16  # pixels that a page has at least on each side


def wanted_pages(spec: str, page_count: int, limits: Limits, name: str) -> list[int]:
    """Return the numbers of the selected pages, from 1, in order: all if `spec` is empty.

    `spec` is such as ``1-20,35``. Raises UserError for an invalid list, for pages that the file
    does not have, and for too many pages per import.
    """
    numbers = _numbers(spec, page_count, name) if spec.strip() else range(1, page_count + 1)
    if len(numbers) > limits.pages:
        raise UserError("pages_too_many", Where(name), pages=len(numbers), limit=limits.pages)
    return list(numbers)


def _numbers(spec: str, page_count: int, name: str) -> list[int]:
    """Parse a selection of pages: `1, 3-5`."""
    found: set[int] = set()
    for part in spec.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,6})\s*(?:-\s*([0-9]{1,6})\s*)?", part)
        if match is None:
            raise UserError("pages_range", Where(field="pages"), spec=spec[:80])
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= page_count:
            raise UserError("pages_outside", Where(name), spec=part.strip(), pages=page_count)
        found |= set(range(first, last + 1))
    return sorted(found)


FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "GIF", "WEBP")
ENDINGS = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp")
_MOST_PNG = 1 << 20  # bytes; a larger one is a photograph or a noisy scan, stored as JPEG
_QUALITY = 90
_COLOURED = 24  # visible difference between channels
_SOME = 0.0005  # share of such pixels that makes a page coloured
_TALL = 40  # length to width: no page, and no engine reads it


@dataclass(frozen=True, slots=True)
class Picture:
    """An upright page for storage: encoded, with its size in pixels.

    `turned` is by how many degrees it was turned anticlockwise before it was straightened.
    """

    content: bytes
    media_type: str
    width: int
    height: int
    turned: float = 0.0


def read_image(path: Path, name: str, limits: Limits, number: int) -> Picture:
    """Return a page of an image file, upright, counting from 1.

    Raises UserError as `count_images` does, and for a page that cannot be unpacked.
    """
    with _open_image(path, name, limits) as image:
        with _readable(name):
            image.seek(number - 1)
            _check(image, name, limits)
            image.load()
            upright = ImageOps.exif_transpose(image)
        return as_picture(grey_or_rgb(upright), limits)


def count_images(path: Path, name: str, limits: Limits) -> int:
    """Count the pages of an image file.

    Raises UserError for a file that is no image of `FORMATS`, is broken, or has too few or too many
    pixels.
    """
    with _open_image(path, name, limits) as image, _readable(name):
        return int(getattr(image, "n_frames", 1))


def opened(content: bytes) -> Image.Image:
    """Decode a stored page."""
    image = Image.open(io.BytesIO(content), formats=FORMATS)
    image.load()
    return image


def as_picture(image: Image.Image, limits: Limits) -> Picture:
    """Encode a page for storage: straightened, not too large, grey if it has no colour."""
    upright, turned = straightened(_shrink_to(_grey_if_so(image), limits.kept))
    content, media_type = encoded(upright)
    return Picture(content, media_type, upright.width, upright.height, turned)


def encoded(image: Image.Image) -> tuple[bytes, str]:
    """Return the image as PNG, or as JPEG if that would be large, and its media type."""
    out = io.BytesIO()
    image.save(out, "PNG")
    if out.tell() <= _MOST_PNG:
        return out.getvalue(), "image/png"
    out = io.BytesIO()
    image.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue(), "image/jpeg"


def grey_or_rgb(image: Image.Image) -> Image.Image:
    """Return the image in grey or 8-bit colours, with transparency as white."""
    if image.mode in ("L", "RGB"):
        return image
    if image.mode == "1":
        return image.convert("L")
    if image.mode.startswith("I") or image.mode == "F":
        return _as_8_bit(image)
    if "A" in image.getbands() or "transparency" in image.info:
        above = image.convert("RGBA")
        paper = Image.new("RGBA", above.size, (255, 255, 255, 255))
        return Image.alpha_composite(paper, above).convert("RGB")
    return image.convert("RGB")


def _as_8_bit(image: Image.Image) -> Image.Image:
    """Convert an image of 16 or more bits to 8, from its darkest to its lightest value."""
    values = np.nan_to_num(np.asarray(image, dtype=np.float64))
    low, high = float(values.min()), float(values.max())
    spread = (values - low) * (255 / (high - low)) if high > low else np.full(values.shape, 255.0)
    return Image.fromarray(spread.clip(0, 255).astype(np.uint8))


def _grey_if_so(image: Image.Image) -> Image.Image:
    """Convert an image without colour to grey."""
    if image.mode == "L":
        return image
    small = np.asarray(image.reduce(max(1, min(image.size) // 1000 or 1)), dtype=np.int16)
    coloured = (small.max(axis=2) - small.min(axis=2)) > _COLOURED
    return image if float(coloured.mean()) > _SOME else image.convert("L")


def _shrink_to(image: Image.Image, most: int) -> Image.Image:
    """Scale an image down to at most `most` pixels."""
    pixels = image.width * image.height
    if pixels <= most:
        return image
    scale = (most / pixels) ** 0.5
    size = max(1, int(image.width * scale)), max(1, int(image.height * scale))
    return image.resize(size, Image.Resampling.LANCZOS)


@contextmanager
def _open_image(path: Path, name: str, limits: Limits) -> Iterator[Image.Image]:
    """Open an image file; raise UserError for an unreadable one or one beyond the limits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of large images; our own bound refuses them
        with _readable(name):
            image = Image.open(path, formats=FORMATS)
        with image:
            _check(image, name, limits)
            yield image


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Convert Pillow's errors about an unreadable image to UserError."""
    try:
        yield
    except Image.DecompressionBombError as error:
        raise UserError("image_bomb", Where(name), limit=_megapixels(Limits().pixels)) from error
    except UnidentifiedImageError as error:
        raise UserError("image_unknown", Where(name), known=", ".join(FORMATS)) from error
    except UserError:
        raise
    except (OSError, ValueError, SyntaxError, EOFError, MemoryError, ArithmeticError) as error:
        raise UserError("image_broken", Where(name), reason=str(error)[:200] or "?") from error


def _check(image: Image.Image, name: str, limits: Limits) -> None:
    """Raise UserError for an image of too many pixels, too small or too narrow."""
    width, height = image.size
    if width * height > limits.pixels:
        size, most = f"{width:,} × {height:,}", _megapixels(limits.pixels)
        raise UserError("image_large", Where(name), size=size, limit=most)
    small = min(width, height) < limits.side
    if small or max(width, height) > _TALL * min(width, height):
        raise UserError("image_small", Where(name), size=f"{width} × {height}", least=limits.side)


def _megapixels(pixels: int) -> str:
    """Return pixels in millions."""
    return f"{pixels / 1_000_000:g}"
