"""What a release says of itself: the form of its fields, and the files that citation tools read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from storage.export import about
from storage.export.about import About, Card, Config, bibtex, features_of
from storage.export.croissant import croissant_json
from storage.export.datasheet import HEADINGS, as_markdown
from tests.support.refusals import code_and_field, refusal

ABOUT = About("a.b-c", "1", "T_", "mit", ("K", "L"), "<D>", "", "10.1234/x", "2026-01-02")
NOTHING: dict[str, dict[str, Any]] = {name: {} for name in HEADINGS}


@pytest.mark.parametrize(
    ("field", "longest", "beyond"),
    [
        ("name", "a" * 60, "a" * 61),
        ("name", "a", "B"),
        ("title", "a" * 500, "a" * 501),
        ("licence", "a" * 500, "a" * 501),
        ("description", "a" * 2000, "a" * 2001),
        ("authors", ("a" * 500,) * 100, ("a",) * 101),
        ("authors", ("a",), ("a" * 501, "b")),
        ("date", "2026-12-31", "20261231"),
        ("date", "2026-12-31", "soon"),
        ("doi", "", "11.1/x"),
    ],
)
def test_a_field_holds_what_its_form_allows_and_nothing_beyond(
    field: str, longest: Any, beyond: Any
) -> None:
    replace(ABOUT, **{field: longest}).check()
    assert code_and_field(replace(ABOUT, **{field: beyond}).check) == ("release_field", field)


def test_a_refusal_quotes_the_first_80_characters_and_of_too_many_authors_the_last() -> None:
    assert refusal(replace(ABOUT, doi="a" * 90).check).params["said"] == "a" * 80
    many = tuple(map(str, range(101)))
    assert refusal(replace(ABOUT, authors=many).check).params["said"] == "100"
    with_none = replace(ABOUT, version="").check_name
    assert refusal(with_none).params["fields"] == "version"


@pytest.mark.parametrize(("licence", "known"), [("mit", "MIT"), ("mit or 0bsd", ""), ("ours", "")])
def test_citation_files_name_a_licence_that_is_one_known_to_their_readers(
    licence: str, known: str
) -> None:
    said = replace(ABOUT, licence=licence)
    cff = yaml.safe_load(about.citation_cff(said))
    zenodo = json.loads(about.zenodo_json(said, ("ko",)))
    assert (cff.get("license", ""), zenodo.get("license", "")) == (known, known.lower())
    url = f"https://spdx.org/licenses/{known}.html" if known else licence
    crate = json.loads(croissant_json(said, ("ko",), (), NOTHING, Path()))
    assert (crate["license"], crate["url"]) == (url, "https://doi.org/10.1234/x")


def test_a_language_is_named_where_it_is_the_only_one() -> None:
    for languages, said in {("ko",): "kor", ("xx",): "und", ("ko", "en"): None, (): None}.items():
        assert json.loads(about.zenodo_json(ABOUT, languages)).get("language") == said


def test_the_entry_for_bibtex_escapes_and_leaves_out_what_is_not_said() -> None:
    said = r"title = {T\_},|author = {{K\_1} and {L}},|year = {2026},|doi = {10.1234/x},"
    lines = bibtex(replace(ABOUT, authors=("K_1", "L"), version="")).split("\n")
    assert [each.strip() for each in lines] == ["@misc{a_b_c_2026,", *said.split("|"), "}"]


def test_columns_have_the_type_of_the_first_value_that_is_there() -> None:
    rows: list[dict[str, Any]] = [
        {"a": None, "b": [], "c": {"x": None, "y": 1}, "d": True, "e": 1.5, "f": None},
        {"a": 1, "b": ["s"], "c": {"x": 2, "z": [None, 3]}, "d": None, "e": None, "f": None},
    ]
    plain = {"a": "int64", "d": "bool", "e": "float64", "f": "string"}
    of_c = [{"name": name, "dtype": "int64"} for name in "xy"]
    assert {each.pop("name"): each for each in features_of(rows)} == {
        **{name: {"dtype": kind} for name, kind in plain.items()},
        **{
            "b": {"sequence": "string"},
            "c": {"struct": [*of_c, {"name": "z", "sequence": "int64"}]},
        },
    }


@pytest.mark.parametrize(
    ("documents", "size"), [(999, "n<1K"), (1_000, "1K<n<10K"), (1_000_000, "1M<n<10M")]
)
def test_a_card_tells_size_and_languages_and_fences_what_holds_fences(
    documents: int, size: str
) -> None:
    said = replace(ABOUT, title="가 ````", licence="Our\n own")
    text = about.card_text(Card(said, ("ko", "en"), documents, (), (("How", "so"),)))
    _, head, body = text.split("---\n", 2)
    assert "pretty_name: 가" in head
    found = yaml.safe_load(head)
    assert (found["size_categories"], found["multilinguality"]) == ([size], ["multilingual"])
    assert (found["license"], found["license_name"]) == ("other", "Our own")
    assert "## How\n\nso\n\n## Licence" in body and "`````bibtex\n" in body
    one = about.card_text(Card(ABOUT, ("ko",), 1, (), ()))
    assert "license: mit\nlanguage:\n- ko\nmultilinguality:\n- monolingual\n" in one
    assert "```bibtex" in one and "````" not in one


def test_croissant_lists_files_columns_and_what_the_datasheet_knows(tmp_path: Path) -> None:
    for name in ("dev", "test"):
        (tmp_path / name).write_text(name)
    columns = [{"name": "n", "dtype": "int64"}, {"name": "path", "sequence": "string"}]
    configs = (
        Config("q", {"dev": "dev", "test": "test"}, columns),
        Config("c", {"c": "dev"}, columns),
    )
    days = {"first decision": "2026-01-05", "last decision": "2026-01-06"}
    known: dict[str, Any] = {"collection": days, "uses": {"intended uses": "to compare"}}
    known["labelling"] = {"submissions per question": {"2": 3, "3": 1}}
    said: dict[str, Any] = {
        "dataUseCases": "to compare",
        "dataCollectionTimeFrame": [*days.values()],
    }
    said["annotationsPerItem"] = "2 for 3, 3 for 1"
    for facts, told in (known, said), ({"collection": {"last decision": "2026-01-06"}}, {}):
        facts = NOTHING | facts
        crate = json.loads(croissant_json(ABOUT, ("ko",), configs, facts, tmp_path))
        found = {name[4:]: each for name, each in crate.items() if name.startswith("rai:")}
        assert found == {**told, "dataAnnotationPlatform": "Touchstone"}
    assert (crate["version"], crate["isLiveDataset"]) == ("1.0.0", False)
    sizes = [(each["@id"], each["contentSize"]) for each in crate["distribution"]]
    assert sizes == [("dev", "3 B"), ("test", "4 B"), ("dev", "3 B")]
    sets = {each["name"]: [field["name"] for field in each["field"]] for each in crate["recordSet"]}
    assert sets == {"q-dev": ["n"], "q-test": ["n"], "c": ["n"]}


def test_a_datasheet_words_each_kind_of_answer() -> None:
    share = {"n": 1200, "value": 0.5, "95 % interval": [0.25, 0.75]}
    counts = {"n": 4, "x*": 1000, "share": share | {"95 % interval": None}}
    answers = {"share": share, "none": {"n": 1000, "value": None}, "by": counts}
    answers |= {"people": [{"person": "a*", "decisions": 2000}], "units": 1200, "day": None}
    facts = NOTHING | {"motivation": {"title": "T"}, "composition": answers}
    assert as_markdown(facts).split("## ")[2] == (
        r"""Composition

- Share: 0.500, 95 % interval 0.250 to 0.750 (n = 1,200)
- None: not defined (n = 1,000)
- By:
  - n: 4
  - x\*: 1,000
  - share: 0.500 (n = 1,200)
- People:
  - person a\*, decisions 2,000
- Units: 1,200
- Day: none

"""
    )
