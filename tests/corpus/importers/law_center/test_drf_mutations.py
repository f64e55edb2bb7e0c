"""XML that stays well formed while its parts are moved, so that damage reaches what lies behind."""

from __future__ import annotations

import time
from xml.etree import ElementTree

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.importers.law_center import drf
from corpus.model import Statute
from errors import UserError
from tests.corpus.importers.fixtures import fixture
from tests.support.examples import scaled

FILES = [fixture("drf/act.xml"), fixture("drf/rule.xml")]
_TEXTS = [
    *("", " ", "\n\n", "①", "① ②", "<54>", "<54", "(54)", "54", "②의2 가", "㉑ 가", "제1조"),
    *("제0조의0", "제1조(", "제1조()", "제1조(가(나)", "제1조의2(다) ① 라", "제1장 총칙", "제9편"),
    *("부칙", "1.", "1의2.", "1의", "가.", "가의", "  1. 가\n  나. 다\n 1) 라", "전문", "조문"),
    *("0", "0001", "²", "-1", "9" * 9, "20240101", "99999999", "2024.1.1", "별표", "서식", "별지"),
    *("도식", "<img src='x'>", "<br>" * 9, "**a** \\* [b](c)", "&lt;&amp;lt;", "삭제 <2020.1.1>"),
    *("부칙 <제1호,2020.1.1>", "2.1 설치\n2.1.1 나", "┌─┐\n│1. │", "\t1. 표", "[본조신설]"),
    *("a" * 3000, "(" * 3000, "1." * 3000, "①" * 3000, " " * 3000, "부칙(" * 300 + "<제1호,"),
    *("<img " * 500, "\n".join(f"{n}. 가" for n in range(400))),
]


@st.composite
def reshaped(draw: st.DrawFn, files: list[str]) -> bytes:
    """Return XML that is well formed but has its elements moved, copied, renamed and refilled."""
    root = ElementTree.fromstring(draw(st.sampled_from(files)))  # noqa: S314
    for _ in range(draw(st.integers(1, 8))):
        elements = list(root.iter())
        one, other = draw(st.sampled_from(elements)), draw(st.sampled_from(elements))
        act = draw(st.sampled_from(["text", "text", "text", "rename", "move", "clear"]))
        if act == "text":
            one.text = draw(st.sampled_from(_TEXTS) | st.text(max_size=30).map(_printable))
        elif act == "rename":
            one.tag = other.tag
        elif act == "clear":
            one.clear()
        elif one not in list(other.iter()) and other not in list(one.iter()):
            other.insert(draw(st.integers(0, len(other))), one)
    return bytes(ElementTree.tostring(root, "utf-8"))


def _printable(text: str) -> str:
    return "".join(c for c in text if c.isprintable())


def check(statute: Statute) -> None:
    """Assert what holds of every statute, however its file was damaged."""
    ids = [unit.semantic_id for unit in statute.units]
    assert ids and len(set(ids)) == len(ids)
    assert [unit.order for unit in statute.units] == list(range(len(ids)))
    for unit in statute.units:
        assert unit.text_missing == (not unit.text)
        spans = [*((p.start, p.end) for p in unit.parts), *((x.start, x.end) for x in unit.links)]
        assert all(0 <= start < end <= len(unit.text) for start, end in spans)
        assert len({part.path for part in unit.parts}) == len(unit.parts)
        assert "\0" not in unit.text and "\ufdd0" not in unit.text


@settings(max_examples=scaled(100), deadline=None, suppress_health_check=list(HealthCheck))
@given(reshaped(FILES))
def test_damage_raises_nothing_but_errors_a_person_can_mend(raw: bytes) -> None:
    began = time.process_time()
    try:
        check(drf.parse(raw, "x.xml"))
    except UserError as error:
        assert error.what("ko") and error.remedy("en") and error.where.file == "x.xml"
    assert time.process_time() - began < 5
