"""The starting typology beside what the paper prints (Tables 4 and 6 to 16)."""

from __future__ import annotations

from pathlib import Path

from construction.cases.group_mapping import Mapper
from construction.cases.starter import starter
from construction.cases.titles import fold_title
from construction.cases.typology_reading import parse
from tests.conftest import ROOT

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
