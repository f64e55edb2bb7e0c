"""The starting typology beside what the paper prints (Tables 4 and 6 to 16)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.cases.charges import fold_title
from construction.cases.group_mapping import Mapper
from construction.cases.typology import (
    TEXT_LIMIT,
    Category,
    Charge,
    Group,
    Statute,
    Typology,
    add_charge,
    add_title,
    parse,
    starter,
    write,
)
from normalization import composed
from tests.conftest import ROOT
from tests.construction.cases.small_typology import SMALL
from tests.support.refusals import code_of, refusal

LISTED = Path(__file__).parent / "listed.txt"  # the 160 lines of Tables 6 to 16 as printed
PRINTED = {  # how many lines each table has
    "traffic": 13,
    "fraud": 21,
    "violence": 30,
    "theft": 38,
    "embezzlement": 15,
    "destruction": 5,
    "finance": 7,
    "threat": 11,
    "defamation": 8,
    "drug": 5,
    "gambling": 7,
}
UNLIKE = {"Defamation (healty)"}  # so printed; here it is Defamation


def test_it_has_the_papers_33_categories_and_a_group_for_each_line_of_its_tables() -> None:
    typology = parse(starter())
    assert len(typology.categories) == 33
    found = {
        category.key: sum(len(each.groups) for each in category.charges if each.source == "paper")
        for category in typology.categories
    }
    assert {key: count for key, count in found.items() if count} == PRINTED


def test_the_docs_count_its_groups_as_they_are_and_their_example_reads() -> None:
    groups = [charge.source for _, charge, _ in parse(starter()).groups()]
    docs = " ".join((ROOT / "docs" / "court-cases.md").read_text(encoding="utf-8").split())
    assert f"and {len(groups)} groups, beside the paper's 411. {groups.count('paper')} of" in docs
    assert f"the other {groups.count('written')} groups were written" in docs
    example = (ROOT / "docs" / "court-cases.md").read_text(encoding="utf-8").split("```yaml\n")[1]
    read = parse(example.partition("```")[0])
    assert [group.key for *_, group in read.groups()] == [
        "defamation.defamation.fact",
        "defamation.defamation.unspecified",
    ]


def test_every_line_of_the_tables_names_a_group() -> None:
    lines = LISTED.read_text(encoding="utf-8").splitlines()
    assert len(lines) == sum(PRINTED.values())
    named = {fold_title(group.label["en"]) for *_, group in parse(starter()).groups()}
    assert {line for line in lines if fold_title(line) not in named} == UNLIKE


def test_every_title_leads_to_its_own_charge_and_every_provision_to_its_own_group() -> None:
    typology = parse(starter())
    mapper = Mapper(typology)
    for category, charge, group in typology.groups():
        for title in charge.titles:
            for provisions in [each.split(" + ") for each in group.provisions] or [[]]:
                found = mapper.map(title, (), provisions)
                assert (
                    found.missed == () or found.missed[0].charge == f"{category.key}.{charge.key}"
                )
                assert found.groups in ((group.key,), ()) or not group.provisions
                if group.provisions:
                    assert found.groups == (group.key,)


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("- key: honour", "- key: Honour!", "typology_key", 5),
        ("key: insult", "key: defamation", "typology_key_twice", 20),
        ("key: falsehood", "key: fact", "typology_key_twice", 15),
        ("names: [형법, Criminal Act]", "names: []", "field_missing", 2),
        ("ko: 모욕", "ko: 명예 훼손죄", "typology_title_twice", 21),
        ("ko: 모욕", "en2: 모욕", "field_missing", 21),
        ("ko: 모욕", "ko: '·'", "typology_title", 21),
        ("ko: 모욕", "ko: 모욕, EN: Insult", "typology_language", 21),
        ("source: paper", "source: elsewhere", "typology_source", 10),
        ("[형법 제307조 제1항]", "[제307조 제1항]", "typology_provision", 14),
        ("[형법 제307조 제1항]", "[형법]", "typology_provision", 14),
        (
            "[형법 제307조 제1항]",
            "[형법 제307조 제1항, 형법 제1조 제2조]",
            "typology_provision",
            14,
        ),
        ("      provisions: [형법 제307조 제1항]\n", "", "typology_groups_alike", 17),
        ("성폭력처벌법]", "형 법]", "typology_statute_twice", 3),
    ],
)
def test_what_is_wrong_is_refused_at_its_line(old: str, new: str, code: str, line: int) -> None:
    assert old in SMALL
    error = refusal(parse, SMALL.replace(old, new, 1), "mine.yaml")
    assert (error.code, error.where.file, error.where.line) == (code, "mine.yaml", line)


@pytest.mark.parametrize("text", ["", "a", "categories: []", "#" * (TEXT_LIMIT + 1)])
def test_a_text_without_a_category_or_beyond_the_limit_is_refused(text: str) -> None:
    assert code_of(parse, text) == ("text_too_long" if text[:1] == "#" else "typology_empty")


# Files are read composed, so a text that comes back equal is composed before it is written.
WORD = st.text(min_size=1, max_size=12).map(lambda text: composed(" ".join(text.split())))
TITLE = WORD.filter(lambda text: bool(fold_title(text)) and "\x00" not in text)


@st.composite
def typologies(draw: st.DrawFn) -> Typology:
    titles = draw(st.lists(TITLE, min_size=8, max_size=8, unique_by=fold_title))
    label = {"en": titles[0], "ko": titles[1]}
    groups = (
        Group(
            "a.b.c",
            {"en": draw(TITLE), "ko": "라"},
            ("형법 제1조 + 형법 제2조 제1항", "상법 제3조"),
        ),
        Group("a.b.d", label),
    )
    first = Charge(
        "b", label, tuple(titles[:4]), groups, draw(st.sampled_from(["paper", "written"]))
    )
    other = {"en": titles[4], "ko": titles[5], "zh": titles[6]}
    second = Charge("e", other, tuple(titles[4:]), (Group("a.e", other),))
    return Typology(
        (Category("a", label, (first, second)), Category("z", label, ())), (Statute(("형법",)),)
    )


@given(typologies())
def test_what_is_written_reads_the_same(typology: Typology) -> None:
    assert parse(write(typology)) == typology


def test_a_title_that_was_added_leads_to_its_charge_and_nothing_else_changes() -> None:
    changed = add_title("# ours\n" + SMALL, "honour.insult", " 모욕 미수 ")
    assert changed.startswith("# ours\nstatutes:")
    assert Mapper(parse(changed)).map("모욕미수", (), ()).groups == ("honour.insult",)
    before, after = list(parse(SMALL).groups()), list(parse(changed).groups())
    assert [group for *_, group in before] == [group for *_, group in after]


def test_a_charge_that_was_added_is_a_group_of_its_own() -> None:
    once = add_charge(SMALL, "sexual", "公然猥亵罪")
    twice = add_charge(once, "sexual", "성매매")
    assert Mapper(parse(twice)).map("公然猥亵罪", (), ()).groups == ("sexual.added_1",)
    assert Mapper(parse(twice)).map("성매매", (), ()).groups == ("sexual.added_2",)
    assert code_of(add_charge, SMALL, "nothing", "성매매") == "typology_charge_unknown"
    assert code_of(add_charge, SMALL, "sexual", "모욕죄") == "typology_title_twice"


@pytest.mark.parametrize(
    ("charge", "title", "code"),
    [
        ("honour.nothing", "무고", "typology_charge_unknown"),
        ("honour.insult", "명예훼손", "typology_title_twice"),
        ("honour.insult", "·", "typology_title"),
    ],
)
def test_a_title_that_cannot_be_added_is_refused(charge: str, title: str, code: str) -> None:
    assert code_of(add_title, SMALL, charge, title) == code
