from __future__ import annotations

from dataclasses import replace

from corpus.compare.renamed import renamed
from corpus.model import Statute
from tests.corpus.compare.law import FARE, ICE, LAMP, VEST, article, statute

OLD = statute(article("1", LAMP), article("2", VEST), article("3", FARE))


def names(old: list[Statute], new: list[Statute]) -> list[tuple[str, str]]:
    return [(one.title, other.title) for one, other in renamed(old, new)]


def test_half_of_the_lines_must_have_been_kept() -> None:
    most = statute(article("1", LAMP), article("2", VEST), article("3", ICE), title="강법")
    little = statute(article("1", LAMP), article("2", ICE), title="강법")
    assert names([OLD], [most]) == [("나루법", "강법")]
    assert names([OLD], [little]) == []


def test_two_that_fit_equally_well_are_left_open() -> None:
    twins = [statute(*OLD.units, title=title) for title in ("강법", "배법")]
    assert names([OLD], twins) == []
    assert names(twins, [OLD]) == []


def test_another_language_is_another_statute() -> None:
    assert names([OLD], [replace(statute(*OLD.units, title="강법"), language="en")]) == []


def test_statutes_without_text_are_never_paired() -> None:
    assert names([statute()], [statute(title="강법")]) == []
