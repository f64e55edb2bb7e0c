"""The packaged codebook beside the paper's Table 17 (002), whose list is typed here."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from annotation.guidelines.documents import EVERY, packaged
from construction.tagging.codebook import EVERYWHERE, Codebook, in_scope
from construction.tagging.reading import parse
from storage.tasks import Task

TABLE_17 = {
    "traffic": """
        Traffic accident type(6), Traffic accident time(2), Automobile type(3), Road type(4),
        Gross negligence type(18), Automobile accident insurance(3), Malpractice?(3),
        Hit-and-run type(3), Hit-and-run loss type(2), Aided victim?(3),
        Not aware of accident?(3), Blood alcohol level(3), Driving distance(4), Necessity?(3),
        Not driving?(3), Absorption phase?(3), Excessive extrapolation?(3),
        Driving without license type(5), Not aware of license suspension(3),
        Not aware of invalidation(3), Injury severity(8), Injury?(3), Number of victims(3),
        Defendant-victim relation(10), Surrender(2), Defendant feeble-minded?(3),
        Defendant insanity?(3), Reason not reaching consummation(4), Reached consummation?(3)""",
    "fraud": """
        Fraud type(14), No intent for pecuniary advantage?(3), No intent to defraud?(3),
        Profit(12), Defendant feeble-minded?(3), Defendant insanity?(3)""",
    "violence": """
        Two-way assault(2), Motivation(7), Intent to injure?(3), Self-defense?(3),
        Assault method(9), Injury severity(8), Injury?(3), Special crime type(2),
        Number of accomplices(5), Dangerous weapon?(3), Time between injury and death(4),
        Injury direct cause of death?(3), Surrender(2), Defendant feeble-minded?(3),
        Defendant insanity?(3)""",
    "sexual": """
        Sexual assault location(6), Victim age(4), Victim disability(2),
        Defendant under influence(3), Victim under influence(3), Consent?(3),
        Intercourse type(4), Incident act type(4), Incident act by blitz(2),
        Victim sexual shame(3), Inability to resist cause(5), Aware of inability to resist?(3),
        Aware of victim's age under 13?(3), Aware of victim's age under 16?(3),
        Fraudulence/influence type(7), Victim under influence?(3),
        Covert photography filming/distribution type(7), Number of covert photography(4),
        Profit(4), Obscene communication medium(4), Obscene communication content(6),
        Object of sexual satisfaction(2), Reached the victim?(3), Assault/threat type(6),
        Assault method(9), Injury severity(8), Injury?(3), Special crime type(2),
        Number of accomplices(5), Dangerous weapon?(3), Time between injury and death(4),
        Injury direct cause of death?(3), No intent to defraud?(3), Number of victims(3),
        Defendant-victim relation(10), Surrender(2), Defendant feeble-minded?(3),
        Defendant insanity?(3), Reason not reaching consummation(4), Reached consummation?(3)""",
    "finance": """
        Insurance fraud type(5), No intent for pecuniary advantage?(3), No intent to defraud?(3),
        Profit(12), Surrender(2), Defendant feeble-minded?(3), Defendant insanity?(3),
        Reason not reaching consummation(4), Reached consummation?(3)""",
    "defamation": """
        Defamation content(5), Defamation medium(8), Insult content(4), Victim type(3),
        Alleged facts?(3), Publicly alleged?(3), Can specify victim?(3),
        Defaming the social status?(3), Justified(3), Number of victims(3),
        Defendant-victim relation(10), Surrender(2), Defendant feeble-minded?(3),
        Defendant insanity?(3)""",
    "drug": """
        Drug type(14), Drug crime type(7), Defendant role(6), Narcotic handling license(6),
        Drug quantity(6), Profit(12), Surrender(2), Defendant feeble-minded?(3),
        Defendant insanity?(3)""",
    "murder": """
        Motivation(7), Intent to kill?(3), Self-defense?(3), Assault method(9), Injury?(3),
        Number of victims(3), Defendant-victim relation(10), Surrender(2),
        Defendant feeble-minded?(3), Defendant insanity?(3),
        Reason not reaching consummation(4), Reached consummation?(3)""",
}  # "Alleged facts?" has no number in the paper; a claim has three
UNMARKED = {"Not aware of license suspension", "Not aware of invalidation", "Justified"}


@pytest.fixture(scope="module")
def book() -> Codebook:
    found = packaged("codebook", Task.FACTOR_TAGGING)
    assert found is not None
    return parse(found.texts[EVERY])


def listed() -> dict[tuple[str, int], set[str]]:
    """Return the categories of each name and number of options of the paper."""
    found = defaultdict(set)
    for category, text in TABLE_17.items():
        for entry in " ".join(text.split()).split(", "):
            name, count = re.findall(r"(.+)\((\d+)\)", entry)[0]
            found[name, int(count)].add(category)
    return dict(found)


def test_every_factor_of_table_17_is_there_with_its_options_and_categories(book: Codebook) -> None:
    carried = {
        (each.label["en"], len(each.options)): {part.partition(".")[0] for part in factor.scope}
        for factor in book.factors
        for each in factor.sub_factors
        if each.source == "paper"
    }
    paper = listed()
    assert (len(paper), sum(map(len, paper.values()))) == (83, 134)
    assert carried == paper


def test_there_are_102_factors_of_which_39_are_claims(book: Codebook) -> None:
    found = [each for factor in book.factors for each in factor.sub_factors]
    claims = [each for each in found if each.claim]
    assert (len(found), len(claims)) == (102, 39)
    named = {each.label["en"] for each in claims if each.source == "paper"}
    marked = {name for name, _ in listed() if name.endswith("?")}
    assert (len(marked), named) == (28, marked | UNMARKED)


def test_options_are_marked_as_written_here_but_for_those_of_claims(book: Codebook) -> None:
    for factor in book.factors:
        for each in factor.sub_factors:
            assert each.options_source == ("paper" if each.claim else "written"), each.key


def test_a_case_is_asked_what_fits_its_charge(book: Codebook) -> None:
    def keys(group: str) -> set[str]:
        return {each.key for each in in_scope(book, [group])}

    assert "traffic_accident_type" in keys("traffic.negligent_injury")
    assert "traffic_accident_type" not in keys("traffic.drunk_driving")
    assert "blood_alcohol_level" in keys("traffic.drunk_driving")
    assert "intercourse_type" in keys("sexual.rape")
    assert "intercourse_type" not in keys("sexual.filming.shooting")
    assert keys("theft.larceny") == {
        each.key
        for factor in book.factors
        if factor.scope == (EVERYWHERE,)
        for each in factor.sub_factors
    }
