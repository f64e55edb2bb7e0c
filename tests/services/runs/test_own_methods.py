"""A method of one's own in a project: runs, experiments, changed code, code that is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from errors import UserError
from retrieval.core import own
from services.runs.experiments.running import LinesFailedError, run_experiment
from services.runs.questions import query_detail
from services.runs.retrieving import retrieve
from services.runs.rows import leaderboard
from services.runs.scoring import score_run
from storage.runs.experiments import experiment_lines
from tests.projects.small_law import SLUG
from tests.retrieval.core.test_own import TEMPLATE
from tests.support.refusals import code_of

pytestmark = pytest.mark.usefixtures("decided")
MINE = {"method": "word_overlap"}
SWEEP = """\
name: Mine
methods:
- name: BM25
  method: bm25
- name: Words
  method: word_overlap
  grid: {heading_weight: [0, 4]}
- {name: Both, method: rrf, of: [BM25, Words]}
"""


@pytest.fixture(autouse=True)
def file(ws):
    """Keep the template of the page in the workspace."""
    folder = ws.folder / own.FOLDER
    folder.mkdir()
    own.set_method_folder(folder)
    (folder / "word_overlap.py").write_text(TEMPLATE, "utf-8")
    yield folder / "word_overlap.py"
    own.set_method_folder(None)


def test_it_runs_as_any_other_also_in_experiments_with_grids_and_as_a_part(ws):
    run = retrieve(ws, SLUG, MINE, k=5)
    assert any(score_run(ws, run).hits.values())
    assert retrieve(ws, SLUG, {**MINE, "heading_weight": 2.0}, k=5) == run
    (line,) = leaderboard(ws, SLUG).runs
    assert line.label == "word overlap"
    stored = run_experiment(ws, SLUG, SWEEP)
    with ws.reading() as session:
        runs = {each.label: each.run_id for each in experiment_lines(session, stored.id)}
    swept = ["Words", "Words · heading_weight=0", "Words · heading_weight=4"]
    assert list(runs) == ["BM25", *swept, "Both"] and len(set(runs.values())) == 5


def test_changed_code_is_another_run_and_gone_code_leaves_its_runs(ws, file: Path):
    before = retrieve(ws, SLUG, MINE)
    file.write_text(TEMPLATE.replace("if score > 0", "if score > 1"), "utf-8")
    after = retrieve(ws, SLUG, MINE)
    assert after != before
    file.unlink()
    assert len(leaderboard(ws, SLUG).runs) == 2
    query = next(iter(score_run(ws, before).hits))
    assert query_detail(ws, before, query) is not None
    assert code_of(retrieve, ws, SLUG, MINE, k=7) == "unknown_method"


def test_its_error_ends_its_own_line_alone(ws, file: Path):
    file.write_text(TEMPLATE.replace("found = {}", "found = {}[0]"), "utf-8")
    with pytest.raises(UserError) as caught:
        retrieve(ws, SLUG, MINE)
    assert caught.value.code == "own_method_failed" and caught.value.where.file == str(file)
    assert "word_overlap" in caught.value.what() and "KeyError: 0" in caught.value.what()
    assert caught.value.where.line == 1 + TEMPLATE[: TEMPLATE.index("found = {}")].count("\n")
    with pytest.raises((UserError, LinesFailedError)) as failed:
        run_experiment(ws, SLUG, SWEEP)
    assert "word_overlap" in str(failed.value)
    assert [line.label for line in leaderboard(ws, SLUG).runs] == ["BM25"]


def test_no_rank_of_a_missed_unit_comes_from_other_code_than_the_run(ws, file: Path):
    """Query analysis asks the method how far down a missed unit is: only the one that ran."""
    everything = "{unit: float(at) for at, (unit, *_) in enumerate(self.units)}"
    text = TEMPLATE.replace("self.scores(set(query.text.lower().split()))", everything)
    file.write_text(text, "utf-8")
    run = retrieve(ws, SLUG, MINE, k=1)

    def ranks() -> list[int | None]:
        details = [query_detail(ws, run, query) for query in score_run(ws, run).hits]
        return [each.rank for detail in details for each in detail.gold if not each.not_searched]

    assert None not in ranks() and max(rank or 0 for rank in ranks()) > 1
    file.write_text(text + "\n# changed\n", "utf-8")
    assert set(ranks()) <= {1, None} and None in ranks()
