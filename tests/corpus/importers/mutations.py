"""Ways of damaging a file, for tests that feed readers with what nobody would write."""

from __future__ import annotations

import os

from hypothesis import strategies as st

CASES = int(os.environ.get("TOUCHSTONE_FUZZ_CASES", "40"))
"""How many damaged files each reader gets: few by default, 10,000 before a release."""

_NESTS = [b"[", b'{"a":', b'[{"text":', b"(a)(1)(i)", b"<a>", "①".encode(), b'"', b"((("]
_ENCODINGS = ("utf-16", "utf-32", "cp949", "latin-1", "utf-8-sig")


@st.composite
def damaged(draw: st.DrawFn, sources: list[bytes]) -> bytes:
    """Return one of the sources after one to three acts of damage."""
    raw = draw(st.sampled_from(sources))
    for _ in range(draw(st.integers(1, 3))):
        act = draw(st.sampled_from([_truncate, _splice, _reencode, _repeat, _nest, _flip]))
        raw = act(draw, raw, sources)
    return raw[: 1 << 20]


def _truncate(draw: st.DrawFn, raw: bytes, sources: list[bytes]) -> bytes:
    return raw[: draw(st.integers(0, len(raw)))]


def _splice(draw: st.DrawFn, raw: bytes, sources: list[bytes]) -> bytes:
    other = draw(st.sampled_from(sources))
    at, low = draw(st.integers(0, len(raw))), draw(st.integers(0, len(other)))
    high = draw(st.integers(low, len(other)))
    return raw[:at] + other[low:high] + raw[at + draw(st.integers(0, 50)) :]


def _reencode(draw: st.DrawFn, raw: bytes, sources: list[bytes]) -> bytes:
    encoding = draw(st.sampled_from(_ENCODINGS))
    return raw.decode("utf-8", "replace").encode(encoding, "replace")


def _repeat(draw: st.DrawFn, raw: bytes, sources: list[bytes]) -> bytes:
    low = draw(st.integers(0, len(raw)))
    high = draw(st.integers(low, min(len(raw), low + 400)))
    return raw[:high] + raw[low:high] * draw(st.integers(1, 200)) + raw[high:]


def _nest(draw: st.DrawFn, raw: bytes, sources: list[bytes]) -> bytes:
    at = draw(st.integers(0, len(raw)))
    deep = draw(st.sampled_from(_NESTS)) * draw(st.sampled_from([3, 300, 30_000]))
    return raw[:at] + deep + raw[at:]


def _flip(draw: st.DrawFn, raw: bytes, sources: list[bytes]) -> bytes:
    at = draw(st.integers(0, len(raw)))
    noise = st.one_of(
        st.binary(min_size=1, max_size=4),
        st.sampled_from([b"\0", b"\r", b"\t", b"\n", b'"', b",", b"\\ud800", "\u2028".encode()]),
    )
    return raw[:at] + draw(noise) + raw[at + 1 :]
