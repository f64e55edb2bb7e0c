"""Pinpoints that leaked from another article: hand-made gold sets for each way it is decided."""

from __future__ import annotations

import pytest

from construction.closure.audit import Cited, Leak, audit, audit_citations, part_path
from corpus.model import Level, Part, Unit
from tests.projects.closure_law import LawInMemory


def unit(number: int, *paths: str, text: str = "글", missing: bool = False) -> Unit:
    parts = tuple(Part(path, 0, 1) for path in paths)
    return Unit(
        f"가_{number}조",
        "가",
        Level.ARTICLE,
        f"제{number}조",
        heading="",
        text="" if missing else text,
        order=number,
        parts=parts,
        text_missing=missing,
    )


LAW = LawInMemory(
    [
        unit(1, "1항", "2항", "2항/1호"),
        unit(2, "1항", "2항"),
        unit(3),
        unit(4, missing=True),
        unit(5, "1항", "2항", "3항"),
        unit(6, text=""),
    ]
)


def places(*said: str) -> list[Cited]:
    return [
        Cited(*(f"가_{each}".split("/", 1) if "/" in each else (f"가_{each}", ""))) for each in said
    ]


TABLE = """
what is decided | gold | what the answer cites | leaked, kind, of
no pinpoint | 1조 | 1조/2항 |
cited so | 1조/2항 | 1조/2항 |
cited below | 1조/2항 | 1조/2항/1호 |
cited above | 1조/2항/1호 | 1조/2항 |
cited so, and of another too | 1조/2항 | 1조/2항 2조/2항 |
no such part | 1조 3조/2항 | 3조 1조/2항 5조/1항 | 3조/2항 no_such_part 1조
no such part though the answer says so | 3조/2항 | 3조/2항 | 3조/2항 no_such_part
no such part, from the same gold set | 2조/3항 5조/3항 | | 2조/3항 no_such_part 5조
no such part, from several | 3조/1항 2조/1항 | 5조/1항 | 3조/1항 no_such_part 2조 5조
no such part, from nowhere | 2조/9항 | | 2조/9항 no_such_part
cited without it, another with it | 1조/2항 | 1조 2조/2항 | 1조/2항 cited_elsewhere 2조
cited with another, another with it | 1조/2항 | 1조/1항 2조/2항 | 1조/2항 cited_elsewhere 2조
not cited at all: it cannot be told | 1조/2항 | 2조/2항 |
cited without it, nobody with it | 1조/2항 | 1조 2조/1항 |
two of a gold set with one pinpoint | 1조/2항 2조/2항 | 1조/2항 2조/2항 |
of a provision without text | 4조/1항 | 2조/1항 |
of an empty provision | 6조/1항 | 2조/1항 |
of a provision that is not there | 9조/1항 | |
"""


@pytest.mark.parametrize("line", TABLE.strip().splitlines()[1:])
def test_how_it_is_decided(line: str) -> None:
    _, gold, cited, leaked = (cell.split() for cell in line.split("|"))
    found = audit(places(*gold), places(*cited), LAW)
    leaks = [
        (f"{each.place.unit}/{each.place.pinpoint}", each.kind, *each.of) for each in found.leaks
    ]
    kinds = ("no_such_part", "cited_elsewhere")
    assert [*sum(leaks, ())] == [each if each in kinds else f"가_{each}" for each in leaked]
    assert found.checked + found.unknown == sum("/" in each for each in gold)
    assert found.unknown == sum(each.startswith(("4조/", "6조/", "9조/")) for each in gold)


def test_pinpoints_as_written_are_read() -> None:
    assert part_path("제2항제1호") == part_path("제2항 제1호") == "2항/1호"
    assert part_path("2항/1호") == "2항/1호" and part_path("(1)/(a)") == "(1)/(a)"
    assert part_path("제2항 등") == "제2항 등"
    (leak,) = audit([Cited("가_3조", "제2항")], [], LAW).leaks
    assert leak.place.pinpoint == "2항"


def test_citations_of_an_answer_are_audited_by_themselves() -> None:
    cited = [
        Cited("가_1조", "2항", "제1조제2항", 0, 6),
        Cited("가_3조", "2항", "제3조제2항", 8, 14),
    ]
    found = audit_citations(cited, LAW)
    assert found.leaks == (Leak(cited[1], "no_such_part", ("가_1조",)),)
    assert (found.checked, found.unknown) == (2, 0)
