"""docs/own-extensions.md: the package that it shows holds its contract and serves."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import touchstone
from corpus import extensions
from corpus.importers.registry import endings, formats, read_statutes
from errors import UserError
from evaluation.ranking.scoring import evaluate, offered, parse_measure
from services.gold.export import export_gold
from services.tasks.own_tasks import template, templates
from tests.annotation.crew import submit
from tests.annotation.house import SLUG, House
from tests.conftest import ROOT
from tests.support.refusals import refused

PAGE = (ROOT / "docs" / "own-extensions.md").read_text(encoding="utf-8")
CODE, TEST = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(TASK,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
POINTS = re.findall(r'^(\[project.entry-points.*|\w+ = "lake_tools:.*)$', PAGE, re.MULTILINE)


def entry_points() -> str:
    lines = [re.sub(r'\[project.entry-points."(.*)"\]', r"[\1]", each) for each in POINTS]
    return "\n".join(each.replace('"', "") for each in lines)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install the package of the page, with a measure that cannot be loaded."""
    about = tmp_path / "lake_tools-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lake-tools\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"{entry_points()}\nLost = lake_tools:lost\n")
    (tmp_path / "lake_tools.py").write_text(CODE)
    (tmp_path / "seaworthy.yaml").write_text(TASK)
    monkeypatch.syspath_prepend(tmp_path)
    extensions.installed.cache_clear()
    yield tmp_path
    extensions.installed.cache_clear()
    sys.modules.pop("lake_tools", None)


def law(folder: Path) -> Path:
    file = folder / "small.lake"
    file.write_text("Lake Act|Article 1|Boats carry lamps.\nLake Act|Article 2|Oars are of wood.")
    return file


def test_the_package_of_the_page_holds_its_contract(package: Path, tmp_path: Path) -> None:
    space: dict[str, Any] = {}
    space["__file__"] = str(package / "lake_tools.py")
    exec(compile(CODE + TEST, "lake_tools.py", "exec"), space)  # noqa: S102
    space["test_contract"](tmp_path)


def test_an_importer_is_detected_by_its_ending(package: Path, tmp_path: Path) -> None:
    name, reading = read_statutes(law(tmp_path))
    assert (name, [each.title for each in reading.statutes]) == ("lake", ["Lake Act"])
    assert ".lake" in endings() and "lake" in formats()


def test_what_an_importer_raises_names_its_file_and_line(package: Path, tmp_path: Path) -> None:
    (tmp_path / "odd.lake").write_text("no bars")
    with refused("extension_failed") as caught:
        read_statutes(tmp_path / "odd.lake")
    assert str(caught.value.where.file).endswith("lake_tools.py") and caught.value.where.line


def test_a_measure_is_offered_and_scores(package: Path) -> None:
    assert {"TopTwo", "TopTwo@10"} <= {*map(repr, offered())}
    measures = [parse_measure("TopTwo"), parse_measure("Recall@1")]
    scored = evaluate({"q1": ["a", "x", "b"], "q2": []}, {"q1": {"a": 1}, "q2": {"c": 1}}, measures)
    assert scored.table == {
        "q1": {"TopTwo": 0.5, "Recall@1": 1.0},
        "q2": {"TopTwo": 0.0, "Recall@1": 0.0},
    }


@pytest.mark.parametrize("value", ["nan", "None", "True", "'much'"])
def test_a_measure_that_gives_no_number_is_named(
    package: Path, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (package / "lake_tools.py").write_text(
        CODE.replace("return sum(", f"nan = float('nan')\n    return {value}\n    return sum(")
    )
    with refused("extension_no_number"):
        evaluate({"q1": ["a"]}, {"q1": {"a": 1}}, [parse_measure("TopTwo")])


def test_an_exporter_writes_beside_the_export(package: Path, house: House, tmp_path: Path) -> None:
    for person in (house.ann, house.ben):
        submit(house, person, house.items[0], 1)
    export_gold(house.ws, SLUG, tmp_path / "gold", also=["pairs"])
    assert json.loads((tmp_path / "gold" / "pairs" / "pairs.json").read_text())
    with pytest.raises(UserError) as caught:
        export_gold(house.ws, SLUG, tmp_path / "other", also=["boats"])
    assert caught.value.code == "exporter_unknown" and not (tmp_path / "other").exists()


def test_what_cannot_be_loaded_is_listed_and_stops_nothing(package: Path) -> None:
    brought = {each.name: each for each in extensions.extensions(extensions.MEASURES)}
    assert brought["Lost"].problem is not None and brought["TopTwo"].problem is None
    with pytest.raises(UserError):
        parse_measure("Lost")


def test_a_contract_that_is_not_held_says_which_part() -> None:
    failed = [
        part.name
        for part in touchstone.check_measure(lambda ranking, gold: float(-len(ranking)))
        if not part.held
    ]
    assert failed == ["measure_order"]
    parts = touchstone.check_exporter(lambda gold, folder: (gold / "new").write_text("x"))
    assert [part.name for part in parts if part.held] == ["exporter_again"]
    assert all(part.says() and part.problem for part in parts if not part.held)


def test_a_task_is_a_template_to_begin_from(package: Path) -> None:
    found = templates()
    assert (found["seaworthy"].origin, template("seaworthy")) == ("lake-tools 1.0", TASK)
    (package / "seaworthy.yaml").write_text("task: seaworthy\nfields: [{field: x, kind: boat}]\n")
    broken = templates()["seaworthy"].problem
    assert broken is not None and broken.where.line == 2
    with pytest.raises(UserError):
        template("seaworthy")
    assert len(templates()) == len(found)


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("task: [", ["task_reads", "task_subject", "task_ends"]),
        (TASK.replace("file: boats.csv, ", ""), ["task_subject"]),
        (TASK.replace("why, kind: text", "why, kind: text, error: own"), ["task_reads"]),
    ],
)
def test_a_task_that_does_not_hold_its_contract(
    tmp_path: Path, text: str, failed: list[str]
) -> None:
    file = tmp_path / "task.yaml"
    file.write_text(text)
    parts = touchstone.check_task(file)
    assert [part.name for part in parts if not part.held] == failed
    assert all(part.says("ko") for part in parts)
