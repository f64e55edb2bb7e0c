"""Checks of texts: empty, cut off, damaged, decomposed, or the same as another's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from unicodedata import is_normalized

from services.audit.material import Case, Check, Material, Text, folded

SNIPPET = 160  # letters of a text that are shown
_LATIN_DAMAGE = re.compile("[\u00c2-\u00d6\u00d8-\u00f4\u0178-\u0192][\u0080-\u00bf\u0152-\u2122]+")
_RUN = re.compile(r"[^\x00-\x7f]{3,}")
_HAN = re.compile("[\u4e00-\u9fff\uf900-\ufaff]")
_EAST = re.compile("[\uac00-\ud7a3\u4e00-\u9fff\u3040-\u30ff]")
_RESIDUE = re.compile(
    r"&(?:amp|lt|gt|quot|nbsp|apos|#x?[0-9a-f]{1,6});|\\u[0-9a-f]{4}|</?(?:br|p|div|span|td|tr)\b[^<>]*>"
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ud800-\udfff]",
    re.IGNORECASE,
)
_ENDS = tuple(".!?。！？)]}>」』”’\"';:")
_CUT_FROM = 100  # letters of a text that may be cut
_PILE = 4  # times as many texts of one length as of those around are cut there


def snippet(text: str, start: int = 0, end: int = 0) -> str:
    """Return the beginning of a text on one line, or the surroundings of a span in it."""
    first = max(0, start - SNIPPET // 3)
    said = " ".join(text[first : max(end, first + SNIPPET)][: 2 * SNIPPET].split())
    return ("…" if first else "") + said + ("…" if first + SNIPPET < len(text) else "")


def _both(material: Material) -> Iterator[Text]:
    """Yield queries, then documents."""
    yield from material.queries
    yield from material.documents


def _faults(material: Material) -> Iterator[Case]:
    """Yield the lines that could not be read."""
    for each in material.faults:
        yield Case(f"{each.file}:{each.line}", "", "", each.reason)


def _empty(material: Material) -> Iterator[Case]:
    """Yield texts that have no letter or digit near their beginning."""
    return (
        Case(each.place, each.id, "", snippet(each.title))
        for each in _both(material)
        if not folded(each.text[:2000])
    )


def _with_span(find: Callable[[str], tuple[int, int] | None], material: Material) -> Iterator[Case]:
    """Yield the texts in which `find` finds a span, with the words around it."""
    for each in _both(material):
        if span := find(each.text):
            yield Case(each.place, each.id, "", snippet(each.text, *span))


def damage(text: str) -> tuple[int, int] | None:
    """Return the first span of characters that a wrong decoding left, None if there is none."""
    if text.isascii():
        return None
    if (at := text.find("\ufffd")) >= 0:
        return at, at + 1
    for match in _LATIN_DAMAGE.finditer(text):
        if _decodes(match[0], "cp1252", 1) or _decodes(match[0], "latin-1", 1):
            return match.span()
    if _HAN.search(text):
        for match in _RUN.finditer(text):
            if any(_decodes(match[0], name, 2) for name in ("cp949", "gbk")):
                return match.span()
    return None


def _decodes(run: str, encoding: str, least: int) -> bool:
    """Return True if a text, so encoded, is UTF-8; from `least` 2 on, of eastern letters only."""
    try:
        text = run.encode(encoding).decode("utf-8")
    except UnicodeError:
        return False
    east = len(_EAST.findall(text))
    return len(text) < len(run) and (least == 1 or (east >= least and east == len(text)))


def _residue(text: str) -> tuple[int, int] | None:
    """Return the span of the first remains of markup or control character, None without."""
    match = _RESIDUE.search(text)
    return match and match.span()


def _decomposed(text: str) -> tuple[int, int] | None:
    """Return (0, 0), a text's beginning, if it is not in composed form (NFC), else None."""
    return None if is_normalized("NFC", text) else (0, 0)


def _truncated(material: Material) -> Iterator[Case]:
    """Yield texts that end in the middle: at an ellipsis, or at the length at which many end."""
    for part in (material.queries, material.documents):
        open_ends = {each.text for each in part if _ends_open(each.text)}
        cut_at = _piles(Counter(map(len, open_ends)))
        for each in part:
            size, text = len(each.text), each.text.rstrip()
            if text.endswith(("…", "...")) or (size in cut_at and each.text in open_ends):
                yield Case(each.place, each.id, str(size), snippet(text, len(text) - SNIPPET))


def _piles(lengths: Counter[int]) -> set[int]:
    """Return the lengths that far more texts have than have those around."""
    around = [step for step in range(-5, 6) if step]
    means = {size: sum(lengths[size + step] for step in around) / 10 for size in list(lengths)}
    return {size for size, mean in means.items() if lengths[size] >= _PILE * (mean + 1)}


def _ends_open(text: str) -> bool:
    """Return True for a long text that ends without a full stop, as if cut off."""
    return len(text) >= _CUT_FROM and not text.rstrip().endswith(_ENDS)


def _duplicates(part: str, how: str, material: Material) -> Iterator[Case]:
    """Yield the texts of a part that are the same as an earlier one of another id, or near it."""
    texts = getattr(material, part)
    twins = material.document_twins if part == "documents" else material.query_twins
    for first, *others in getattr(twins, how):
        for at in others:
            each = texts[at]
            if each.id != texts[first].id:
                yield Case(each.place, each.id, texts[first].id, snippet(each.text))


def _split_leaks(material: Material) -> Iterator[Case]:
    """Yield questions that are judged in two splits, or nearly the same as one of another split."""
    splits, queries = material.splits, material.queries
    for query, of in splits.items():
        if len(of) > 1:
            each = material.query_of.get(query)
            place, text = (each.place, snippet(each.text)) if each else ("", "")
            yield Case(place, query, query, f"{' · '.join(sorted(of))}: {text}")
    near = material.query_twins
    for group in (*near.same, *near.near):
        first = queries[group[0]]
        for at in group[1:]:
            each = queries[at]
            apart = splits.get(first.id, set()) ^ splits.get(each.id, set())
            if len(apart) > 1 and first.id != each.id:
                detail = f"{' · '.join(sorted(apart))}: {snippet(each.text)}"
                yield Case(each.place, each.id, first.id, detail)


CHECKS = (
    Check("unreadable", "error", "files", _faults),
    Check("text_empty", "warning", "texts", _empty),
    Check("encoding_damage", "error", "texts", partial(_with_span, damage)),
    Check("split_leak", "error", "queries", _split_leaks, ("queries", "judgments")),
    Check("text_truncated", "warning", "texts", _truncated),
    Check("markup_left", "warning", "texts", partial(_with_span, _residue)),
    Check("text_decomposed", "warning", "texts", partial(_with_span, _decomposed)),
    *(
        Check(name, "warning", part, partial(_duplicates, part, how), (part,))
        for name, part, how in (
            ("query_duplicate", "queries", "same"),
            ("query_near_duplicate", "queries", "near"),
            ("document_duplicate", "documents", "same"),
            ("document_near_duplicate", "documents", "near"),
        )
    ),
)
