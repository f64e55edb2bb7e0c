"""Sections of acts and of United States codes, as answers cite them: right, or left open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.citations_foreign import DATA
from corpus.citations.catalogue import Catalogue, CatalogueEntry
from corpus.citations.find import find
from corpus.citations.model import Reason, Resolution, Status
from corpus.citations.resolve import resolve
from corpus.importers.registry import read_statutes
from corpus.model import Tier

ACTS, CODE = (
    Catalogue.from_statutes(read_statutes(DATA / name / "law.csv")[1].statutes)
    for name in ("acts", "code")
)
HARBOR, PIER = "the Harbor Lighting Act", "the Pier Safety Act 2003"
DASHES = ("-", "‐", "‑", "‒", "–", "—", "−")


def read(text: str, catalogue: Catalogue = ACTS) -> list[Resolution]:
    return resolve(find(text), text, catalogue)


def meant(text: str, catalogue: Catalogue = ACTS) -> list[str]:
    """Return what each citation resolves to, ``Harbor 5 (a)``; its reason where it does not."""
    found: list[str] = []
    for one in read(text, catalogue):
        places = [
            (t.unit_id.partition("-")[0], *t.unit_id.split("_")[1:], t.pinpoint)
            for t in one.targets
        ]
        found.append("; ".join(" ".join(each).strip() for each in places) or str(one.reason))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"§5(a) of {HARBOR}", ["Harbor 5 (a)"]),
        (f"Sections 5, 6, and 12 of {HARBOR}", ["Harbor 5", "Harbor 6", "Harbor 12"]),
        (f"section 5, 7 and 9 of {HARBOR}", ["Harbor 5", "Harbor 7", "Harbor 9"]),
        (f"§§ 7 and 9(a)-(b) of {HARBOR}", ["Harbor 7", "Harbor 9 (a); Harbor 9 (b)"]),
        (f"sections 5 to 7 of {HARBOR}", ["Harbor 5; Harbor 6; Harbor 7"]),
        (f"section 5 to 7 of {HARBOR}", ["Harbor 5; Harbor 6; Harbor 7"]),
        (f"sections 5(1) to 7(2) of {PIER}", ["Pier 5; Pier 5A; Pier 6; Pier 7"]),
        ("Pier Safety Act 2003 ss 5A–7", ["Pier 5A; Pier 6; Pier 7"]),
        ("Sec 5 Harbor Lighting Act", ["Harbor 5"]),
        ("Harbor Lighting Act (sections 5 and 7)", ["Harbor 5", "Harbor 7"]),
        ("Harbor Lighting Act's section 5", ["Harbor 5"]),
        ("**Section 5(a)** of the **Harbor Lighting Act**", ["Harbor 5 (a)"]),
        (f"section 5 (duty to keep lamps) of {HARBOR}", ["Harbor 5"]),
        (f"section 5 et seq. of {HARBOR}", ["Harbor 5"]),
        (f"section 5(a) and section 6, both of {HARBOR}", ["Harbor 5 (a)", "Harbor 6"]),
        ("Harbor Lighting Act ss.5(a),6 and 7", ["Harbor 5 (a)", "Harbor 6", "Harbor 7"]),
        ("the Dredging Code and the Ferry Services Act 1998: s 5 of the Code", ["Dredging 5"]),
        (f"the Lamp Regulations 2011 and {HARBOR}: reg 4 of the Regulations", ["Lamp 4"]),
        (f"the former owner under section 5 of {HARBOR}", ["Harbor 5"]),
        (f"{HARBOR} (HLA) applies. HLA § 5(a) too. Section 7 HLA.", ["Harbor 5 (a)", "Harbor 7"]),
        ("s 5(1)(a)(ii) of the 2003 Pier Safety Act", ["Pier 5 (1)/(a)/(ii)"]),
        (f"section 5 of Part 2 of {PIER}", ["Pier 5"]),
        (f"S. 5(1) of {PIER}", ["Pier 5 (1)"]),
        ("section 5, Pier Safety Act 2003 (UK)", ["Pier 5"]),
        (f"subsection (a) of section 5, {HARBOR}", ["Harbor 5 (a)"]),
        ("Harbor Lighting Act § 5(a). Subsection (b) adds.", ["Harbor 5 (a)", "Harbor 5 (b)"]),
        ("Harbor Lighting Act § 5; id. § 7; ibid s 9.", ["Harbor 5", "Harbor 7", "Harbor 9"]),
        (f"The Inner Harbor Act is gone. By s 5 {PIER}.", ["Pier 5"]),
    ],
)  # fmt: skip
def test_what_is_read(text: str, expected: list[str]) -> None:
    assert meant(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"section 99 of {HARBOR}", Reason.NO_SUCH_PLACE),
        (f"section 5 bis of {HARBOR}", Reason.NO_SUCH_PLACE),
        (f"section 5.1 of {HARBOR}", Reason.NO_SUCH_PLACE),
        (f"section 5-7 of {HARBOR}", Reason.NO_SUCH_PLACE),
        ("section 5 of the Outer Harbor Lighting Act", Reason.NO_SUCH_INSTRUMENT),
        ("section 5 of the Harbor Lighting (Amendment) Act", Reason.NO_SUCH_INSTRUMENT),
        ("section 5 of the Pier Safety Act 2004", Reason.NO_SUCH_INSTRUMENT),
        ("section 5 of the Pier Safety Regulations 2003", Reason.NO_SUCH_INSTRUMENT),
        (f"Under {HARBOR}, section 5 of the lease binds.", Reason.NO_SUCH_INSTRUMENT),
        (f"Unlike {HARBOR}, see the Guidance § 7.", Reason.NO_SUCH_INSTRUMENT),
        (f"Unlike {HARBOR}, see s.5 PSA 2003.", Reason.NO_SUCH_INSTRUMENT),
        (f"{HARBOR} and {PIER} hold; see section 5 of the Act.", Reason.SEVERAL_MATCH),
        (f"{HARBOR} and {PIER} hold; see section 5.", Reason.NO_ANTECEDENT),
        ("See section 5.", Reason.NO_ANTECEDENT),
        ("개인정보는 § 164.504(a)(1)(ii)에 따라 처리한다.", Reason.NO_ANTECEDENT),
        (f"paragraph 5(1)(a) of {PIER}", Reason.NO_ANTECEDENT),
        (f"former section 5 of {HARBOR}", Reason.FORMER_VERSION),
        (f"ex-section 5 of {HARBOR}", Reason.FORMER_VERSION),
        ("section 5 of the repealed Harbor Lighting Act", Reason.FORMER_VERSION),
        (f"section 5 of {HARBOR} as it stood in 1999", Reason.FORMER_VERSION),
        (f"section 5 (as in force before 2010) of {HARBOR}", Reason.FORMER_VERSION),
        (f"section 5 of {HARBOR} in its former version", Reason.FORMER_VERSION),
        (f"the old s 5 of {HARBOR}", Reason.FORMER_VERSION),
        ("section 5 of the pre-2010 Harbor Lighting Act", Reason.FORMER_VERSION),
        ("Harbor Lighting Act § 5 (former)", Reason.FORMER_VERSION),
        (f"Rule 5 of {HARBOR}", Reason.NO_SUCH_PLACE),
        (f"Unlike {HARBOR}, by the Constitution, section 5.", Reason.NO_SUCH_INSTRUMENT),
        (f"Unlike {HARBOR}, by your agreement (section 5).", Reason.NO_SUCH_INSTRUMENT),
        (f"Unlike {HARBOR}, by ISO 9001 section 5.", Reason.NO_SUCH_INSTRUMENT),
        (f"Unlike {HARBOR}, by California's § 5.", Reason.NO_SUCH_INSTRUMENT),
        ("the Ontario Harbor Lighting Act, s 5", Reason.NO_SUCH_INSTRUMENT),
    ],
)
def test_what_is_left_open(text: str, reason: Reason) -> None:
    assert [one.reason for one in read(text)] == [reason]


def test_what_is_left_open_offers_the_sections_of_that_number() -> None:
    pier, harbor = "Pier-Safety-Act-2003_5", "Harbor-Lighting-Act_5"
    ((both,), (former,), (alone,)) = (
        read(text)
        for text in (
            f"{HARBOR} and {PIER} hold; see section 5 of the Act.",
            f"former section 5 of {HARBOR}",
            "See section 15.",
        )
    )
    assert (both.status, set(both.unit_ids)) == (Status.AMBIGUOUS, {pier, harbor})
    assert (former.status, former.unit_ids) == (Status.UNRESOLVED, (harbor,))
    assert alone.unit_ids == ("Harbor-Lighting-Act_15",)


@pytest.mark.parametrize(
    "text",
    [
        f"{HARBOR} applies (see section 2 below).",
        f"{HARBOR} applies, as set out in section 5 above.",
        f"As section 5 of this answer explains, {HARBOR} applies.",
        f"§ 5 Abs. 1 BGB is not {HARBOR}.",
        "Part 164 and Title 42 hold, and 45 CFR Part 164 and 17 CFR 240.",
        "It has 5 sections; it's 5 o'clock.",
    ],
)
def test_what_cites_nothing(text: str) -> None:
    assert meant(text) == []


def test_a_heading_of_the_answer_is_no_section() -> None:
    text = f"Section 5: Lamps\n{HARBOR} applies. Section 7 says more than section 5."
    assert meant(text) == ["no_antecedent", "Harbor 7", "no_antecedent"]


@pytest.mark.parametrize("dash", DASHES)
@pytest.mark.parametrize(
    ("code", "number"),
    [
        ("42 U.S.C. §", "288-1"),
        ("10 CFR", "960.3-1-4-1"),
        ("26 CFR", "1.401(a)(9)-1"),
        ("17 CFR", "240.10b5-1"),
        ("48 CFR", "53.303-DD-254"),
    ],
)
def test_a_number_is_read_whole_whatever_joins_it(code: str, number: str, dash: str) -> None:
    written = number.replace("-", dash)
    for tail in ("(b).", ".", ", which", ")"):
        (one,) = read(f"See {code} {written}{tail}", CODE)
        assert [target.unit_id.rpartition("_")[2] for target in one.targets] == [number]
    for more in ("9", "z", f"{dash}7"):
        assert meant(f"See {code} {written}{more}.", CODE) in (["no_such_place"], [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42 U.S.C. §§ 1320d to 1320d-2", ["1320d", "1320d-1", "1320d-2"]),
        ("42 U.S.C. § 288-1 and 300gg-91", ["288-1", "300gg-91"]),
        ("Title 42, United States Code, Section 288-1(a)", ["288-1"]),
        ("42 U.S. Code § 288-1", ["288-1"]),
        ("45 CFR §§ 164.502, .504 and .506", ["164.502", "164.504", "164.506"]),
        ("45 CFR 164.502-.506", ["164.502", "164.504", "164.506"]),
        ("45 CFR 164.502 to 164.506", ["164.502", "164.504", "164.506"]),
        ("Section 164.504 of 45 CFR", ["164.504"]),
        ("45 CFR part 164, § 164.508", ["164.508"]),
        ("이는 45 CFR § 164.502(a)와 § 164.504(b)에 있다.", ["164.502", "164.504"]),
        ("42 U.S.C. § 1320d\u00ad-2", ["1320d-2"]),
        ("42 U.S.C. § 288 – 1", ["288-1"]),
        ("26 CFR § 1.1031(a)-\n1(b)", ["1.1031(a)-1"]),
        ("42 U.S.C. § 1320d-", []),
        ("42 U.S.C. § 1320D-2", []),
        ("17 CFR § 240.10b-5-1", []),
        ("42 U.S.C. §§ 1320d to 1320d-99", []),
    ],
)
def test_numbers_of_united_states_codes(text: str, expected: list[str]) -> None:
    found = [
        target.unit_id.rpartition("_")[2] for one in read(text, CODE) for target in one.targets
    ]
    assert found == expected


_PIECES = (
    "42 U.S.C. |45 CFR |§ |§§ |section |sections |288|-1|–1|1320d|(a)|(1)|, | and | to |164.504|"
    ".506| of the Act| of the Harbor Lighting Act|Pier Safety Act 2003, |s. 5|that Act|**|“|"
    "former |제5조 |\n|\xad"
)
PIECES = st.sampled_from(_PIECES.split("|"))


@given(st.lists(PIECES | st.text(max_size=6), max_size=20).map("".join))
def test_spans_are_exact_and_only_whole_numbers_resolve(text: str) -> None:
    end = 0
    for one in read(text, CODE):
        assert end <= one.citation.start < one.citation.end <= len(text)
        assert one.citation.text == text[one.citation.start : one.citation.end]
        end = one.citation.end
        if not one.citation.places[0].last and len(one.targets) == 1:
            number = one.targets[0].unit_id.rpartition("_")[2]
            assert one.citation.places[0].number in (number, "")


@pytest.mark.parametrize(
    ("name", "candidate"),
    [
        ("Harbor Lighting Act 1990", "Harbor-Lighting-Act_5"),
        ("Harbor Lighting Act (1990)", "Harbor-Lighting-Act_5"),
        ("1990 Harbor Lighting Act", "Harbor-Lighting-Act_5"),
        ("Pier Safety Act (1999)", "Pier-Safety-Act-2003_5"),
    ],
)
def test_an_act_of_another_year_is_a_candidate_only(name: str, candidate: str) -> None:
    for text in (
        f"section 5 of the {name}",
        f"{name}, section 5",
        f"The {name}. See s 5 of that Act.",
    ):
        (one,) = read(text)
        assert (one.status, one.unit_ids) == (Status.UNRESOLVED, (candidate,)), text


@pytest.mark.parametrize(
    "name", ["Pier Safety Act (2003)", "Pier Safety Act of 2003", "2003 Pier Safety Act"]
)
def test_the_year_of_an_act_is_written_in_several_ways(name: str) -> None:
    assert meant(f"section 5 of the {name}") == ["Pier 5"]


@pytest.mark.parametrize(
    "text",
    [
        "section 5 of {} prior to amendment",
        "section 5 of {} before the 2019 amendment",
        "section 5 of {} before amendment in 2019",
        "section 5 of {} (pre-2019)",
        "section 5 of {} in its 2010 version",
        "section 5 of {} was repealed in 2019",
        "the pre-amendment section 5 of {}",
        "the 2010 version of section 5 of {}",
        "the earlier version of section 5 of {}",
    ],
)
def test_a_section_as_it_was_is_never_todays(text: str) -> None:
    """Words before, inside and behind a citation say that former law is meant."""
    (one,) = read(text.format(HARBOR))
    assert (one.reason, one.unit_ids) == (Reason.FORMER_VERSION, ("Harbor-Lighting-Act_5",))


def test_short_numbers_of_a_list_or_range_begin_as_the_one_before() -> None:
    (one,) = find("42 U.S.C. §§ 1320d-1 to -3")
    assert [(p.number, p.last) for p in one.places] == [("1320d-1", "1320d-3")]
    listed = find("42 U.S.C. §§ 1320d-1, –2, and -3(a)")
    assert [p.number for each in listed for p in each.places] == ["1320d-1", "1320d-2", "1320d-3"]
    assert [p.number for each in find("45 CFR Part 164.504") for p in each.places] == ["164.504"]


def test_a_federal_section_holds_no_longer_number() -> None:
    """45 CFR 164.504.1 is another section than 164.504, which may not be there."""
    entry = CatalogueEntry("p", "45 CFR Part 164", "", Tier.RULE, "p_164.504")
    (one,) = read("45 CFR § 164.504.1", Catalogue([entry]))
    assert one.reason is Reason.NO_SUCH_PLACE
