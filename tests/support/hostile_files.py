"""Files made to hold up, blow up or break whatever reads them; a few kilobytes each."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence

import numpy as np
from PIL import Image

from tests.support.drawn_pages import png


def pdf_of(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """Return a PDF of these objects, the first of which is its catalogue."""
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    xref = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    last = b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF"
    return out + last % (len(objects) + 1, trailer, xref)


def stream(content: bytes, about: bytes = b"") -> bytes:
    """Return a stream object."""
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (about, len(content), content)


def one_page(content: bytes, resources: bytes = b"", more: Sequence[bytes] = ()) -> bytes:
    """Return a PDF of one A4 page that draws this content; `more` begins with object 5."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<<%s>>>>"
    return pdf_of(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            page % resources,
            stream(content),
            *more,
        ]
    )


def nested_forms(depth: int = 9, times: int = 10) -> bytes:
    """Return a page that draws a form `times`, which draws another `times`, and so on."""
    forms = []
    for level in range(depth):
        last = level == depth - 1
        body = b"0 0 9 9 re f" if last else b"/F Do " * times
        inner = b"" if last else b"/Resources<</XObject<</F %d 0 R>>>>" % (level + 6)
        forms.append(stream(body, b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]" + inner))
    return one_page(b"/F Do", b"/XObject<</F 5 0 R>>", forms)


def repeated(piece: bytes, times: int) -> bytes:
    """Return a zlib stream of a piece so many times, without making the whole of it."""
    packing = zlib.compressobj(9)
    first = packing.compress(piece) + packing.flush(zlib.Z_FULL_FLUSH)
    again = packing.compress(piece) + packing.flush(zlib.Z_FULL_FLUSH)
    return first + again * (times - 1) + packing.flush(zlib.Z_FINISH)


def bomb(piece: bytes, times: int) -> bytes:
    """Return a page whose content is a piece so many times, packed twice over."""
    inner = stream(zlib.compress(repeated(piece, times), 9), b"/Filter[/FlateDecode/FlateDecode]")
    return one_page(b"").replace(stream(b""), inner)


def many_fills() -> bytes:
    """Return a page that fills itself four million times, packed to some kilobytes."""
    return bomb(b"0 0 595 842 re f\n" * 40_000, 100)


def strokes_in_a_form(times: int = 3_000_000) -> bytes:
    """Return a page whose only operator draws a form of so many strokes."""
    body = b"".join(b"%d %d m %d 9 l S\n" % (n % 595, n % 842, n % 500) for n in range(1000))
    packed = repeated(body, times // 3_000)
    about = b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Filter/FlateDecode"
    return one_page(b"/F Do", b"/XObject<</F 5 0 R>>", [stream(packed, about)])


def unpacking() -> bytes:
    """Return a page whose content unpacks to eight gigabytes."""
    return bomb(b" " * (1 << 20), 8 << 10)


def tiled_pattern() -> bytes:
    """Return a page filled with a pattern of a hundred million tiles."""
    tile = b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]"
    tile += b"/XStep .0001/YStep .0001/Resources<<>>"
    return one_page(
        b"/Pattern cs /P scn 0 0 595 842 re f",
        b"/Pattern<</P 5 0 R>>",
        [stream(b"0 0 1 1 re f", tile)],
    )


def page_tree_loop() -> bytes:
    """Return a PDF whose tree of pages holds itself."""
    return pdf_of(
        [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2147483647>>"]
    )


def xref_loop() -> bytes:
    """Return a PDF whose table of objects points back to itself."""
    whole = one_page(b"0 0 9 9 re f")
    at = whole.rindex(b"xref\n0")
    return whole.replace(b"trailer<<", b"trailer<</Prev %d" % at)


def large_page() -> bytes:
    """Return a PDF whose page is as large as a country."""
    return one_page(b"").replace(b"[0 0 595 842]", b"[0 0 9999999999 9999999999]")


def png_that_claims(width: int, height: int) -> bytes:
    """Return a PNG that says it is of this size."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)

    def chunk(kind: bytes, body: bytes) -> bytes:
        whole = kind + body
        return struct.pack(">I", len(body)) + whole + struct.pack(">I", zlib.crc32(whole))

    body = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def tiff_of_frames(frames: int = 60_000, loop: bool = False) -> bytes:
    """Return a TIFF of so many frames, each 16 pixels wide; `loop`: the last leads to the first."""
    entry = struct.Struct("<HHII")
    size = 2 + 9 * entry.size + 4
    out, pixels = io.BytesIO(), 8 + frames * size
    out.write(b"II*\0" + struct.pack("<I", 8))
    for number in range(frames):
        out.write(struct.pack("<H", 9))
        for tag, kind, value in (
            *((256, 3, 16), (257, 3, 16), (258, 3, 8), (259, 3, 1), (262, 3, 1)),
            *((273, 4, pixels), (277, 3, 1), (278, 3, 16), (279, 4, 256)),
        ):
            out.write(entry.pack(tag, kind, 1, value))
        following = 8 + (number + 1) * size
        last = number == frames - 1
        out.write(struct.pack("<I", (8 if loop else 0) if last else following))
    return out.getvalue() + b"\xff" * 256


def specks(side: int = 3_500) -> bytes:
    """Return a page of as many specks as fit on it, each a letter to whoever measures letters."""
    grey = np.full((side, side), 255, dtype=np.uint8)
    grey[::3, ::3] = 0
    return png(Image.fromarray(grey))


PDFS = {
    "nested forms": nested_forms,
    "many fills": many_fills,
    "many strokes in a form": strokes_in_a_form,
    "unpacking": unpacking,
    "tiled pattern": tiled_pattern,
    "page tree loop": page_tree_loop,
    "xref loop": xref_loop,
    "large page": large_page,
}
IMAGES = {
    "claims": lambda: png_that_claims(50_000, 50_000),
    "frames": tiff_of_frames,
    "frame loop": lambda: tiff_of_frames(3, loop=True),
    "specks": specks,
}
