"""Cut plain text into units' text and parts, with the markers that :mod:`segments` knows.

`segments` reads Markdown, where paragraph marks are bold and items are indented; here the marks
stand bare at the beginning of a line, or follow one another inside a line (… ① … ② …).
"""

from __future__ import annotations

import re

from corpus.importers.statutes.segments import segment
from corpus.model import Part

_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳㉑㉒㉓㉔㉕㉖㉗㉘㉙㉚㉛㉜㉝㉞㉟㊱㊲㊳㊴㊵㊶㊷㊸㊹㊺㊻㊼㊽㊾㊿"
_NUMBER = re.compile(r"[0-9]{1,3}")
_PARAGRAPH = re.compile(rf"([{_CIRCLED}])")
_OUTLINE = re.compile(
    r"(?:[0-9]{1,3}(?:의[0-9]{1,3}|-[0-9]{1,3})?|[가-하](?:의[0-9]{1,3})?|[a-z])\.(?!\S)"
    r"|(?:[0-9]{1,3}|[가-하])\)(?:의[0-9]{1,3})?"
    r"|\((?:[0-9]{1,3}|[가-하])\)"
)
_SPECIAL = re.compile(r"[\\*]")


def segment_plain(text: str, language: str) -> tuple[str, tuple[Part, ...]]:
    """Return the reading text of a unit given as plain text, and its parts.

    White space at both ends of lines and blank lines go; items are indented by depth; every
    other character stays.
    """
    return segment(map(_marked, _own_lines(text).splitlines()), language)


def _own_lines(text: str) -> str:
    """Put each paragraph mark that continues the count from ① on a line of its own."""
    pieces = _PARAGRAPH.split(text)
    out, expected = [pieces[0]], 0
    for mark, rest in zip(pieces[1::2], pieces[2::2], strict=True):
        inside = out[-1].strip() and not out[-1].endswith("\n")
        if _CIRCLED.index(mark) == expected:
            expected += 1
            if inside and (expected > 1 or out[-1][-1:].isspace()):
                out.append("\n")
        out += [mark, rest]
    return "".join(out)


def _marked(line: str) -> str:
    line = line.strip()
    if not line:
        return ""
    safe = _SPECIAL.sub(r"\\\g<0>", line).replace("&", "&amp;")
    if _PARAGRAPH.match(line):
        return f"**{safe[0]}**{safe[1:]}"
    if _OUTLINE.match(line):
        return " " + safe
    return safe if line.startswith("[") else "\t" + safe
