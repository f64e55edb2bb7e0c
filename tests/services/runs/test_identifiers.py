"""Methods in a project: generative retrieval's identifiers, and a method of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from retrieval.core import own
from services.runs.costs import asking_notes
from services.runs.experiments.running import run_experiment
from services.runs.identifiers import identifiers_found, tells_identifiers
from services.runs.questions import query_detail
from services.runs.retrieving import retrieve
from services.runs.rows import leaderboard, scored_runs
from services.runs.scoring import score_run
from storage.law.passages import passages_by_id
from storage.runs.experiments import experiment_lines
from storage.runs.run_store import run_hits
from tests.commands.called import command_line
from tests.projects.small_law import SLUG
from tests.retrieval.core.test_own import TEMPLATE
from tests.retrieval.generative import tiny
from tests.support.refusals import code_of, refusal

pytestmark = pytest.mark.usefixtures("decided")


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    return tiny.seq2seq(tmp_path_factory.mktemp("models") / "tiny")


def spec_of(model: Path, **more) -> dict[str, Any]:
    small = {"beam": 8, "length": 6, "weighting": "likelihood"}
    return {"method": "legalsearchlm", "model": str(model)} | small | more


def test_each_hit_says_which_words_were_written_and_where_they_stand(ws, model):
    run = retrieve(ws, SLUG, spec_of(model))
    with ws.reading() as session:
        kept = run_hits(session, run)
        units = {unit for hits in kept.values() for unit, _ in hits}
        passages = passages_by_id(session, 1, units)
    assert any(kept.values())
    seen = set()
    for question, ranking in kept.items():
        found = identifiers_found(ws, run, question)
        assert [(hit.semantic_id, hit.score) for hit in found] == ranking[:10]
        for hit in found:
            total = sum(each.identifier.added for each in hit.identifiers)
            assert total == pytest.approx(hit.score)
            for each in hit.identifiers:
                part = each.identifier
                passage = passages[hit.semantic_id]
                title = " ".join(filter(None, (hit.statute, hit.label, hit.heading)))
                text = title if part.in_title else passage.text
                assert text[part.start : part.end] == part.text
                assert each.before + part.text + each.after in text
                seen.add(part.in_title)
    assert seen == {True, False}
    first = next(question for question, ranking in kept.items() if ranking)
    assert len(identifiers_found(ws, run, first, 1)) == 1
    assert identifiers_found(ws, run, first, 0) == ()


def test_it_runs_as_any_other_method_and_says_so_in_its_record(ws, model):
    run = retrieve(ws, SLUG, spec_of(model))
    assert retrieve(ws, SLUG, spec_of(model)) == run
    ((line, _),) = scored_runs(ws, SLUG, run_ids=[run]).runs
    assert line.label.startswith("LegalSearchLM")
    assert line.cost["index_bytes"] > 0
    assert line.cost["notes"]["legalsearchlm.questions"] == 4
    assert tells_identifiers(line.method, line.params)
    done = command_line(ws.folder, "run", "identifiers", str(run), "q1", "--first", "2")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1. ") and "in the law]" in done.stdout
    # What builds on it tells its identifiers, and other methods have none.
    fused = {"method": "rrf", "of": [{"method": "bm25"}, spec_of(model)]}
    run = retrieve(ws, SLUG, fused)
    assert any(hit.identifiers for hit in identifiers_found(ws, run, "q1"))
    plain = retrieve(ws, SLUG)
    assert code_of(identifiers_found, ws, plain, "q1") == "identifiers_none"
    assert code_of(identifiers_found, ws, run, "nobody") == "run_lacks_question"
    assert not tells_identifiers("decompose", {"base": spec_of(model)})


def test_what_the_model_could_not_write_is_said_of_the_run(ws, model):
    spec = spec_of(model, weighting="seal", smoothing=1e6, beam=1)
    runs = [retrieve(ws, SLUG, each) for each in (spec, spec_of(model, first="corpus"))]
    line, other = (each for each, _ in scored_runs(ws, SLUG, run_ids=runs).runs)
    assert asking_notes([("Other", other.spec, other.cost)]) == []
    (said,) = asking_notes([("Other", other.spec, other.cost), ("Mine", line.spec, line.cost)])
    assert said.startswith("Mine: ") and "4" in said
    unweighed = {"notes": {"legalsearchlm.nothing_counts": 1}}
    assert len(asking_notes([("Mine", line.spec, unweighed)])) == 1


def test_a_model_that_has_changed_since_is_said(ws, tmp_path):
    folder = tiny.seq2seq(tmp_path / "model")
    run = retrieve(ws, SLUG, spec_of(folder))
    assert identifiers_found(ws, run, "q1")
    tiny.seq2seq(folder, seed=5)
    assert code_of(identifiers_found, ws, run, "q1") == "identifiers_changed"


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


@pytest.fixture
def file(ws):
    """Keep the template of the page in the workspace."""
    folder = ws.folder / own.FOLDER
    folder.mkdir()
    own.set_method_folder(folder)
    (folder / "word_overlap.py").write_text(TEMPLATE, "utf-8")
    yield folder / "word_overlap.py"
    own.set_method_folder(None)


def test_it_runs_as_any_other_also_in_experiments_with_grids_and_as_a_part(ws, file):
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
    error = refusal(retrieve, ws, SLUG, MINE)
    assert error.code == "own_method_failed" and error.where.file == str(file)
    assert "word_overlap" in error.what() and "KeyError: 0" in error.what()
    assert error.where.line == 1 + TEMPLATE[: TEMPLATE.index("found = {}")].count("\n")
    assert "word_overlap" in refusal(run_experiment, ws, SLUG, SWEEP).what()
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
