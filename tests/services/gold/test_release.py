"""A release: what is in it, what changed, what is refused, and hostile text in every field."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from annotation.adjudication import disputes
from annotation.people import members
from annotation.people.members import set_naming
from errors import UserError
from services.gold import release as module
from services.gold.datasheet import Sheet
from services.gold.export import export_data
from services.gold.gold_set import gold_set
from services.gold.release import release, who_is_named
from services.gold.release_report import Earlier, changes
from services.law.adopting import adopt
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.export.about import About
from storage.projects import create_project
from tests.annotation.crew import submit
from tests.annotation.house import SLUG, House
from tests.services.gold.test_export import contents, lines
from tests.support.refusals import code_of, refused

ABOUT = About("lake-law", "1.0", licence="cc-by-4.0", authors=("Kim A", "Lee"), description="Law.")
HOSTILE = 'a"b\\c\'\'\'"""\t{x} $y% #z\n---\n<script>&|`*_]( ㄱ가 \u2028'


@pytest.fixture
def decided(house: House) -> House:
    """One item agreed, one adjudicated, one without provision."""
    for person in (house.ann, house.ben):
        submit(house, person, house.items[0], 1)
        submit(house, person, house.items[1], 1 if person == house.ann else 2)
        submit(house, person, house.items[2])
    disputes.decide(house.ws, house.judge, house.items[1], [house.units[1]], False, "clear", 4.0)
    return house


@pytest.fixture(autouse=True)
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no chart of the audit: it takes a second a release, and reports have tests for it."""
    monkeypatch.setattr("evaluation.reports.files.chart_file", lambda *_: b"<svg/>")


def card(folder: Path) -> dict[str, Any]:
    """Return the metadata at the head of a card."""
    _, head, _ = (folder / "README.md").read_text("utf-8").split("---\n", 2)
    found: dict[str, Any] = yaml.safe_load(head)
    return found


def test_the_card_names_what_is_there_and_questions_without_answer(
    decided: House, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = release(decided.ws, SLUG, out, replace(ABOUT, url="https://lake.example"))
    assert sorted(contents(out)) == list(done.files)
    assert '"reference": "https://lake.example"' in (out / "mteb_task.py").read_text("utf-8")
    said = card(out)
    assert (said["license"], said["language"]) == ("cc-by-4.0", ["en"])
    files = {
        each["config_name"]: [file["path"] for file in each["data_files"]]
        for each in said["configs"]
    }
    assert files == {
        "corpus": ["corpus.jsonl"],
        "queries": ["queries.jsonl"],
        "default": ["qrels/test.jsonl"],
        "no_answer": ["no_answer.jsonl"],
    }
    crate = json.loads((out / "croissant.json").read_text("utf-8"))
    assert crate["license"] == ABOUT.licence_url != ""
    assert {
        each["@id"]: {field["source"]["fileObject"]["@id"] for field in each["field"]}
        for each in crate["recordSet"]
    } == {name: set(paths) for name, paths in files.items()}
    asked = {each["_id"] for each in lines(out / "queries.jsonl")}
    (unanswered,) = lines(out / "no_answer.jsonl")
    judged = {each["query-id"] for each in lines(out / "qrels" / "test.jsonl")}
    assert judged | {unanswered["_id"]} == asked and unanswered["_id"] not in judged
    assert "The right answer to 1 question is that no provision" in (out / "README.md").read_text()
    tsv = (out / "qrels" / "test.tsv").read_text("utf-8").splitlines()[1:]
    assert tsv == [
        f"{each['query-id']}\t{each['corpus-id']}\t{each['score']}"
        for each in lines(out / "qrels" / "test.jsonl")
    ]


def test_who_did_not_agree_is_in_no_file(decided: House, tmp_path: Path) -> None:
    for number, name in ((decided.ann, "Kim Ara"), (decided.ben, "박준"), (decided.judge, "Sora")):
        members.rename(decided.ws, number, name)
    set_naming(decided.ws, decided.ben, True)
    assert who_is_named(decided.ws, SLUG)[0] == ("박준",)
    release(decided.ws, SLUG, tmp_path / "usual", ABOUT)
    decided.ws.clock()  # the same database gives the same bytes
    release(decided.ws, SLUG, tmp_path / "again", ABOUT)
    assert contents(tmp_path / "usual") == contents(tmp_path / "again")
    release(decided.ws, SLUG, tmp_path / "named", ABOUT, names=True)
    for folder, named in (("usual", set()), ("named", {"박준"})):
        text = b"".join(contents(tmp_path / folder).values()).decode("utf-8", "replace")
        assert {name for name in ("Kim Ara", "박준", "Sora") if name in text} == named


def test_changes_since_the_last_release_have_their_reasons(decided: House, tmp_path: Path) -> None:
    release(decided.ws, SLUG, tmp_path / "one", ABOUT)
    first, second, third = (f"q{number}" for number in (1, 2, 3))
    disputes.decide(decided.ws, decided.judge, decided.items[1], [decided.units[2]], False, "no", 1)
    folder = tmp_path / "one"
    old = [each for each in lines(folder / "gold.jsonl") if each["question_id"] != first]
    gone = old[0] | {"question_id": "gone"}
    text = "".join(json.dumps(each) + "\n" for each in [*old, gone])
    (folder / "gold.jsonl").write_text(text, "utf-8")
    asked = lines(folder / "queries.jsonl")
    asked[2]["text"] = "before"
    (folder / "queries.jsonl").write_text("".join(json.dumps(each) + "\n" for each in asked))
    done = release(
        decided.ws, SLUG, tmp_path / "two", About("lake-law", "2.0"), since=tmp_path / "one"
    )
    assert done.about.licence == "cc-by-4.0" and done.about.authors == ("Kim A", "Lee")
    found = {each["question"]: each for each in done.report.as_json()["changes"]}
    said = {first: "added", second: "changed", third: "reworded", "gone": "withdrawn"}
    assert {name: each["change"] for name, each in found.items()} == said
    assert found[second]["reason"].endswith("no")
    assert "1 added, 1 changed, 1 reworded, 1 withdrawn" in (tmp_path / "two/README.md").read_text()


@pytest.mark.parametrize(
    ("about", "code", "said"),
    [
        (replace(ABOUT, licence="", authors=()), "release_lacks", "licence, authors"),
        (replace(ABOUT, name="Lake Law"), "release_field", "name"),
        (replace(ABOUT, url="javascript:x"), "release_field", "url"),
    ],
)
def test_a_field_that_is_missing_or_of_another_form_is_named(
    decided: House, tmp_path: Path, about: About, code: str, said: str
) -> None:
    with pytest.raises(UserError) as caught:
        release(decided.ws, SLUG, tmp_path / "out", about)
    assert caught.value.code == code and said in str(caught.value) + str(caught.value.where)
    assert not list(tmp_path.glob("*out*"))


def test_a_folder_that_holds_anything_and_a_full_disk_leave_nothing(
    decided: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "note.txt").write_text("mine")
    assert code_of(release, decided.ws, SLUG, full, ABOUT) == "export_not_empty"
    assert contents(full) == {"note.txt": b"mine"}
    with refused("release_unreadable"):
        release(decided.ws, SLUG, tmp_path / "out", ABOUT, since=full)

    def no_space(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "write_checksums", no_space)
    assert code_of(release, decided.ws, SLUG, tmp_path / "out", ABOUT) == "export_failed"
    assert not [*tmp_path.glob("out*"), *tmp_path.glob(".part*")]


def test_hostile_text_stays_text_in_every_file(decided: House, tmp_path: Path) -> None:
    about = About("lake-law", "1", HOSTILE, HOSTILE, (HOSTILE, "B"), HOSTILE)
    out = tmp_path / "out"
    release(decided.ws, SLUG, out, about)
    text = " ".join(HOSTILE.split())
    assert (card(out)["pretty_name"], card(out)["license"]) == (text, "other")
    cff = yaml.safe_load((out / "CITATION.cff").read_text("utf-8"))
    assert (cff["title"], cff["authors"][0]["name"]) == (text, text)
    assert json.loads((out / ".zenodo.json").read_text("utf-8"))["title"] == text
    assert json.loads((out / "croissant.json").read_text("utf-8"))["description"] == text
    for name in ("mteb_task.py", "ir_datasets_extension.py"):
        tree = ast.parse((out / name).read_text("utf-8"))
        (call,) = (
            each.value
            for each in tree.body
            if isinstance(each, ast.Assign) and getattr(each.targets[0], "id", "") == "RELEASE"
        )
        assert isinstance(call, ast.Call) and isinstance(call.args[0], ast.Constant)
        assert json.loads(str(call.args[0].value))["name"] == "lake-law"
    readme = (out / "README.md").read_text("utf-8").split("---\n", 2)[2]
    assert "<script>" not in readme.replace("\\<", "").split("```bibtex")[0]
    bib = re.search(r"title = \{(.*)\},", readme)
    assert bib and "\\{x\\} \\$y\\% \\#z" in bib[1] and "\\textbackslash{}c" in bib[1]


def test_a_release_adopted_into_an_empty_project_has_the_same_gold(
    decided: House, tmp_path: Path
) -> None:
    release(decided.ws, SLUG, tmp_path / "r", ABOUT)
    earlier = Earlier.read(tmp_path / "r")
    world, _ = export_data(decided.ws, SLUG, None, None, Sheet())
    assert changes(world, earlier) == [] and earlier.about["version"] == "1.0"
    there = Workspace(tmp_path / "there")
    migrate(there)
    create_project(there, "p", "P")
    done = adopt(there, "p", tmp_path / "r")
    gold = {query: units for query, units in gold_set(decided.ws, SLUG).qrels.items() if units}
    assert gold_set(there, "p", name="source").qrels == gold
    assert (done.name, done.outside, done.left_out) == ("r 1.0", 0, {})
