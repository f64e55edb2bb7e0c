"""What hits of generative retrieval are found by, with a model of a few thousand random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from errors import UserError
from services.runs.identifiers import identifiers_found, tells_identifiers, writing_notes
from services.runs.retrieving import retrieve
from services.runs.rows import scored_runs
from storage.law.passages import passages_by_id
from storage.runs.run_store import run_hits
from tests.commands.called import command_line
from tests.projects.small_law import SLUG
from tests.retrieval.generative import tiny

pytestmark = pytest.mark.usefixtures("decided")


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    return tiny.seq2seq(tmp_path_factory.mktemp("models") / "tiny")


def spec_of(model: Path, **more) -> dict[str, Any]:
    small = {"beam": 8, "length": 6, "weighting": "likelihood"}
    return {"method": "legalsearchlm", "model": str(model)} | small | more


def code_of(ws, *asked) -> str:
    with pytest.raises(UserError) as caught:
        identifiers_found(ws, *asked)
    return caught.value.code


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


def test_what_builds_on_it_tells_its_identifiers_and_other_methods_have_none(ws, model):
    fused = {"method": "rrf", "of": [{"method": "bm25"}, spec_of(model)]}
    run = retrieve(ws, SLUG, fused)
    found = identifiers_found(ws, run, "q1")
    assert any(hit.identifiers for hit in found)
    plain = retrieve(ws, SLUG)
    assert code_of(ws, plain, "q1") == "identifiers_none"
    assert code_of(ws, run, "nobody") == "run_lacks_question"
    assert not tells_identifiers("decompose", {"base": spec_of(model)})


def test_what_the_model_could_not_write_is_said_of_the_run(ws, model):
    spec = spec_of(model, weighting="seal", smoothing=1e6, beam=1)
    plain = retrieve(ws, SLUG, spec_of(model, first="corpus"))
    (line,), (other,) = (
        [each for each, _ in scored_runs(ws, SLUG, run_ids=[run]).runs]
        for run in (retrieve(ws, SLUG, spec), plain)
    )
    assert writing_notes([("Other", other.cost)]) == []
    (said,) = writing_notes([("Other", other.cost), ("Mine", line.cost)])
    assert said.startswith("Mine: ") and "4" in said


def test_a_model_that_has_changed_since_is_said(ws, tmp_path):
    folder = tiny.seq2seq(tmp_path / "model")
    run = retrieve(ws, SLUG, spec_of(folder))
    assert identifiers_found(ws, run, "q1")
    tiny.seq2seq(folder, seed=5)
    assert code_of(ws, run, "q1") == "identifiers_changed"
