from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.graph.build import build_graph
from corpus.graph.model import Reference
from corpus.importers.english.reader import parse_english
from corpus.importers.statutes.records import Notes
from corpus.model import Statute
from tests.corpus.citations.law import marked

LAMPS = """Ferry Lamps Code
CHAPTER 1 GENERAL
SUBCHAPTER I LAMPS
Sec. 1. Purpose.
(a) A ferry carries a lamp.
(b) A lamp shines.
Sec. 2. Lamps.
(a) A lamp:
(1) is bright:
(A) at night;
(B) in fog:
(i) by the pier;
(ii) {deep}
(2) is red.
(b) {here}
SUBCHAPTER II WHISTLES
Sec. 3. Whistles. A whistle blows.
Sec. 4. Bells. A bell rings.
CHAPTER 2 CREWS
Sec. 5. Crews. A crew rows.
"""
ACT = """Title: Ferry Act
Kind: Act

Article 1 (Purpose) A ferry crosses.
Article 5 (Lamps)
(1) A ferry:
1. carries a lamp;
2. rings a bell.
"""


def statute(text: str) -> Statute:
    return parse_english(text, "law.txt", Notes())


def read(text: str, *others: Statute, deep: str = "at sea") -> list[Reference]:
    """Return the references of section 2, where `text` is subsection (b)."""
    law = statute(LAMPS.format(here=text, deep=deep))
    built = build_graph([law, *others])
    return [one for one in built.references if one.unit_id == "Ferry-Lamps-Code_2"]


def meant(one: Reference) -> list[str]:
    if one.reason:
        return [str(one.reason)]
    return [
        " ".join(part for part in (t.unit_id.rpartition("_")[2], t.pinpoint) if part)
        for t in one.targets
    ]


def meanings(text: str, *others: Statute) -> list[tuple[str, str]]:
    """Return the references of the text, and what each means, as the tables here have it."""
    return [(one.text, "; ".join(meant(one))) for one in read(text, *others)]


HERE = """
⟦Section 1(a)⟧ holds. → 1 (a)
⟦Section 1(a) or (b)⟧ holds. → 1 (a); 1 (b)
See ⟦sections 3⟧ and ⟦5⟧. → 3 | 5
See ⟦§§ 1–3⟧. → 1; 2; 3
See ⟦ss. 3-5⟧. → 3; 4; 5
See ⟦sections 3 through 5⟧. → 3; 4; 5
See ⟦section 9⟧. → no_such_place
⟦The preceding section⟧ holds. → 1
⟦The next section⟧ holds. → 3
See ⟦the following two sections⟧. → 3; 4
⟦The preceding two sections⟧ hold. → no_antecedent
⟦Subsection (a)⟧ holds. → 2 (a)
⟦Subsection (z)⟧ holds. → no_such_place
⟦The preceding subsection⟧ holds. → 2 (a)
See ⟦paragraph (a)(1) of this section⟧. → 2 (a)/(1)
See ⟦paragraph (1) of subsection (a)⟧. → 2 (a)/(1)
See ⟦clause (ii) of subsection (a)(1)(B)⟧. → 2 (a)/(1)/(B)/(ii)
See ⟦section 2(a)(1)(B)(i) and (ii)⟧. → 2 (a)/(1)/(B)/(i); 2 (a)/(1)/(B)/(ii)
See ⟦section 1(a)⟧ and ⟦subsection (b) of that section⟧. → 1 (a) | 1 (b)
See ⟦section 1(a)⟧ and ⟦paragraph (1) thereof⟧. → 1 (a) | 1 (a)/(1)
See ⟦section 5 of this title⟧. → 5
⟦This subchapter⟧ holds. → 1
See ⟦this subchapter⟧. → 1
See ⟦this subpart⟧. → no_such_place
See ⟦subchapter II of this chapter⟧. → 3; 4
See ⟦chapter 2 of this title⟧. → 5
See ⟦section 5 of another Act⟧. → no_antecedent
See ⟦410 U.S. 113⟧. → no_such_instrument
See ⟦42 U.S.C. § 1983⟧. → no_such_instrument
This Act, this section and this title hold.
"""


@pytest.mark.parametrize(("text", "expected"), marked(HERE))
def test_references_from_where_they_stand(text: str, expected: list[tuple[str, str]]) -> None:
    assert meanings(text) == expected


@pytest.mark.parametrize(
    ("deep", "expected"),
    [
        ("as clause (i) says", "2 (a)/(1)/(B)/(i)"),
        ("as subparagraph (A) says", "2 (a)/(1)/(A)"),
        ("as paragraph (2) says", "2 (a)/(2)"),
        ("as subsection (b) says", "2 (b)"),
        ("as the preceding clause says", "2 (a)/(1)/(B)/(i)"),
        ("as the preceding subparagraph says", "2 (a)/(1)/(A)"),
        ("as the next paragraph says", "2 (a)/(2)"),
        ("as clause (i) of this subparagraph says", "2 (a)/(1)/(B)/(i)"),
        ("as paragraph (2) of this subsection says", "2 (a)/(2)"),
        ("as clause (i) of subparagraph (B) says", "2 (a)/(1)/(B)/(i)"),
    ],
)
def test_parts_are_those_of_the_branch_they_stand_in(deep: str, expected: str) -> None:
    (one,) = read("It shines.", deep=f"{deep};")
    assert meant(one) == [expected]


OTHERS = """
See ⟦Article 5(1)2 of the Ferry Act⟧. → article-5 (1)/2
See ⟦Article 5 of the Ferry Act of 1950⟧. → no_such_instrument
See ⟦Article 5 of the Pier Act of 1950⟧. → no_such_instrument
The ⟦Ferry Act⟧ (hereinafter "the Act"); ⟦Article 1 of the Act⟧. → names_instrument_only | article-1
⟦Article 1 of the Ferry Act⟧ ("FA") and ⟦Article 5 of the FA⟧. → article-1 | article-5
⟦Article 1 of the Ferry Act⟧ and ⟦Article 5 of that Act⟧. → article-1 | article-5
⟦Article 5 of the Ferry Act⟧, ⟦paragraph (1)2 of the same Article⟧ → article-5 | article-5 (1)/2
"""


@pytest.mark.parametrize(("text", "expected"), marked(OTHERS))
def test_other_instruments(text: str, expected: list[tuple[str, str]]) -> None:
    assert meanings(text, statute(ACT)) == expected


def test_a_division_of_many_sections_is_said_and_not_drawn() -> None:
    sections = "".join(f"Sec. {n}. Lamp. A lamp.\n" for n in range(2, 40))
    law = statute(f"Ferry Code\nPART 1 LAMPS\nSec. 1. Lamp. See this part.\n{sections}")
    (one,) = build_graph([law]).references
    assert (one.text, one.status, one.reason) == ("this part", "ambiguous", "several_match")


@given(st.text(), st.text())
def test_any_text_is_read(here: str, deep: str) -> None:
    clean = (" ".join(part.split()) for part in (here, deep))
    body, below = (part.replace("{", "").replace("}", "") or "x" for part in clean)
    for one in read(f"x {body}", deep=f"x {below}"):
        assert (not one.targets) == (one.reason is not None)


FEDERAL = """
See ⟦45 C.F.R. § 164.502(a)⟧. → 164.502 (a)
See ⟦45 CFR §§ 164.502⟧ and ⟦164.514⟧. → 164.502 | 164.514
See ⟦section 164.514(b) of title 45, Code of Federal Regulations⟧. → 164.514 (b)
See ⟦45 C.F.R. § 164.999⟧. → no_such_place
"""


@pytest.mark.parametrize(("text", "expected"), marked(FEDERAL))
def test_federal_codes_of_the_corpus(text: str, expected: list[tuple[str, str]]) -> None:
    law = "45 C.F.R. Part 164\n§ 164.502 Uses. (a) A lamp.\n§ 164.514 Records.\n(b) A bell.\n"
    assert meanings(text, statute(law)) == expected
