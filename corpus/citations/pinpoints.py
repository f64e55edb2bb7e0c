"""Reading what stands below a Korean article or annex number: paragraph, item, sub-item.

A pinpoint is a part path such as ``1항/3호/가목``. Lists (제1항 및 제2항) give several, ranges
(제1호부터 제3호까지) give every one between. Every pattern here is bounded and anchored, so reading
is linear in the text.
"""

from __future__ import annotations

import re

# After 하목 the sub-items go on with 거목.
_LETTERS = "가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"

# One pattern per level, outermost first; the index is the level.
_STRICT = (
    re.compile(rf"\s{{0,2}}(?:제\s?(\d{{1,3}})\s?항|([{_CIRCLED}])\s?항?)"),
    re.compile(r"\s{0,2}제\s?(\d{1,3})\s?호(?:\s?의\s?(\d{1,2})(?!\d))?"),
    re.compile(rf"\s{{0,2}}([{_LETTERS}])\s?목(?![적록재표욕조])"),
    re.compile(r"\s{0,2}(\d{1,2})\)"),
    re.compile(rf"\s{{0,2}}([{_LETTERS}])\)"),
)
_LOOSE = (
    re.compile(rf"\s{{0,2}}(?:제?\s?(\d{{1,3}})\s?항|([{_CIRCLED}])\s?항?)"),
    re.compile(r"\s{0,2}제?\s?(\d{1,3})\s?호(?![스선실텔])(?:\s?의\s?(\d{1,2})(?!\d))?"),
    *_STRICT[2:],
)
# Annexes are also quoted by their outline: "별표 2 1. 가. 2)".
_OUTLINE = {
    1: re.compile(r"\s{0,2}(\d{1,2})\.(?!\d)"),
    2: re.compile(rf"\s{{0,2}}([{_LETTERS}])\.(?=\s|\d|[{_LETTERS}]\)|$)"),
}
_NOTE = re.compile(r"\s?비고(?=\s?(?:제?\s?\d|에|의|란))")
_GLUE = re.compile(r"\s?의\s?(?=제?\s?\d{1,3}\s?[호.])|\s?,\s?(?=제\s?\d{1,3}\s?[항호])")
_COMMENT = re.compile(
    r"\s?\([가-힣][^()]{0,60}\)(?=\s?제\s?\d|\s?[가나다라마바사아자차카타파하]\s?목)"
)
AND = re.compile(r"\s{0,2}(?:,|/|ㆍ|·|・|･|‧|∙|및|또는|과|와|이나|나)\s{0,2}")
THROUGH = re.compile(r"\s{0,2}(?:부터|내지|[~∼～〜–-])\s{0,2}")
UNTIL = re.compile(r"\s?까지")

_Steps = tuple[tuple[int, str], ...]


def read_pinpoints(text: str, at: int, *, annex: bool = False) -> tuple[list[str], int]:
    """Return the pinpoints written at `at` and where they end.

    ``([""], at)`` when none is written. `annex` allows the outline form and 비고.
    """
    steps, end = _chain(text, at, annex=annex)
    found = [steps]
    while steps:
        following = _list_item(text, end, steps)
        if following is None:
            break
        span, end = following
        found += span
        steps = span[-1]
    return [path(s) for s in found], end


def path(steps: _Steps) -> str:
    """Return the part path of a chain of levels."""
    return "/".join(name for _, name in steps)


def _chain(text: str, at: int, *, annex: bool) -> tuple[_Steps, int]:
    """Read one descending chain: 제1항제3호가목."""
    steps: list[tuple[int, str]] = []
    level, end = -1, at
    if annex and (note := _NOTE.match(text, end)):
        steps, end = [(0, "비고")], note.end()
    while True:
        start = end
        if glue := (_GLUE if steps or annex else _COMMENT).match(text, end):
            start = glue.end()
        elif comment := _COMMENT.match(text, end):
            start = comment.end()
        step = _step(text, start, level + 1, _LOOSE, annex)
        if step is None:
            return tuple(steps), end
        level, name, end = step
        steps.append((level, name))


def _step(
    text: str, at: int, lowest: int, patterns: tuple[re.Pattern[str], ...], annex: bool
) -> tuple[int, str, int] | None:
    for level in range(lowest, len(patterns)):
        if level >= 3 and lowest < 2:  # "1)" only stands below an item or sub-item
            break
        found = patterns[level].match(text, at)
        if found is None and annex and level in _OUTLINE:
            found = _OUTLINE[level].match(text, at)
        if found:
            return level, _name(level, found), found.end()
    return None


def _name(level: int, found: re.Match[str]) -> str:
    if level == 0:
        number = found[1] or str(_CIRCLED.index(found[2]) + 1)
        return f"{int(number)}항"
    if level == 1:
        branch = found[2] if found.re.groups > 1 else None
        return f"{int(found[1])}호" + (f"의{int(branch)}" if branch else "")
    return found[1] + ("목" if level == 2 else ")")


def _list_item(text: str, at: int, steps: _Steps) -> tuple[list[_Steps], int] | None:
    """Read "및 제2항", "부터 제3항까지" after `steps`; return the further chains."""
    for separator, spans in ((AND, False), (THROUGH, True)):
        if not (gap := separator.match(text, at)):
            continue
        step = _step(text, gap.end(), 0, _STRICT, annex=False) or _number(text, gap.end(), steps)
        if step is None or step[0] > steps[-1][0] or step[0] > 3:
            continue
        level, name, end = step
        prefix = tuple(s for s in steps if s[0] < level)
        deeper, end = _below(text, end, level)
        first = next((n for lv, n in steps if lv == level), None)
        chains = _between(prefix, level, first, name) if spans and first else []
        if until := UNTIL.match(text, end):
            end = until.end()
        return [*chains, (*prefix, (level, name), *deeper)], end
    return None


def _number(text: str, at: int, steps: _Steps) -> tuple[int, str, int] | None:
    """Read 3) in a list that goes on below a sub-item: 가목1) 및 3)."""
    found = _STRICT[3].match(text, at) if steps[-1][0] == 3 else None
    return (3, _name(3, found), found.end()) if found else None


def _below(text: str, at: int, level: int) -> tuple[_Steps, int]:
    steps: list[tuple[int, str]] = []
    end = at
    while step := _step(text, end, level + 1, _LOOSE, annex=False):
        level, name, end = step
        steps.append((level, name))
    return tuple(steps), end


def _between(prefix: _Steps, level: int, first: str, last: str) -> list[_Steps]:
    """Return the chains strictly between two names of one level (제1항 … 제4항 → 2항, 3항)."""
    if level == 2:
        names = [f"{letter}목" for letter in _LETTERS]
        low, high = names.index(first), names.index(last)
        return [(*prefix, (level, name)) for name in names[low + 1 : high]]
    low, high = (int(re.match(r"\d+", n)[0]) for n in (first, last))  # type: ignore[index]
    unit = {0: "항", 1: "호", 3: ")"}[level]
    return [(*prefix, (level, f"{n}{unit}")) for n in range(low + 1, min(high, low + 50))]
