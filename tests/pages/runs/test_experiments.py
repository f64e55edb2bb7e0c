"""The experiments screen: begin from a file, see what it would do, run it, read the results."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import change_role
from evaluation.tables import p_text
from services.background.tasks import TaskKind
from services.runs.experiments.results import experiment_results
from services.runs.experiments.running import run_experiment
from tests.pages import screens
from tests.pages.background import ended
from tests.pages.screens import table
from tests.pages.small_project import HOSTILE, SLUG, Small, shown

TEXT = """\
name: Words
note: On two questions.
measures: [Recall@1, MRR@10]
methods:
- {name: Words, method: bm25, tokeniser: whitespace}
- {name: Bigrams, method: bm25, grid: {b: [0.5]}}
"""


def opened(small: Small) -> AppTest:
    unfolded: dict[str, Any] = {"experiments-open": True}  # the panel of the file has been opened
    return screens.opened("experiments", small, small.sora, **unfolded)


def written(at: AppTest) -> str:
    return at.text_area[0].value or ""


def test_a_file_is_begun_brought_in_or_told_what_is_wrong_with_it(small):
    at = opened(small)
    assert written(at).startswith("# ") and "methods:" in written(at)
    at = at.selectbox(key="experiments-start").select("fusion.yaml").run()
    assert "name: Ways to fuse two methods" in written(at)
    assert "11 lines, 11 still to run, on 6 questions" in shown(at).replace("\\", "")

    text = "name: x\nmethods:\n- bm52\n- {method: bm25, kk: 1}"
    at.text_area(key="experiments-text").set_value(text).run()
    first, *others = at.error[0].value.replace("\\", "").splitlines()
    assert first == "2 things are wrong:"
    assert len(others) == 2 and others[0].startswith('- line 3, field "method"')
    assert [each.label for each in at.button] == [], "it cannot be run"
    at.text_area[0].set_value(TEXT + "- {name: Asked, method: endpoint}\n").run()
    (warned,) = at.warning
    assert "1 line cannot be run here" in warned.value.replace("\\", "")
    assert 'line 7, field "Asked": ' in warned.value.replace("\\", "")
    assert not at.button(key="experiments-run").disabled, "the others can be run"

    before = written(at)
    file = ("mine.yaml", "name: 가\n".encode("cp949"), "")
    at.file_uploader(key="experiments-upload").set_value([file]).run()
    assert written(at) == before
    assert "cannot be read as text" in at.error[0].value.replace("\\", "")
    file = ("mine.yaml", b"\xef\xbb\xbf" + TEXT.encode(), "")
    at.file_uploader(key="experiments-upload").set_value([file]).run()
    assert written(at) == TEXT and not at.error


def test_a_run_shows_figures_cost_and_files(small):
    at = opened(small)
    at = at.text_area[0].set_value(TEXT + "strata: [source]\n").run()
    at = at.button(key="experiments-run").click().run()
    at = ended(at, small.workspace, SLUG, TaskKind.EXPERIMENT)
    assert at.success
    assert "No strata by source" in shown(at).replace("\\", "")
    assert at.header[0].value == "Words"
    at.session_state["experiments-1-tests-more"] = True
    at.run()
    figures, costs, tests = table(at, "Recall@1"), table(at, "Index, MB"), table(at, "p")
    assert figures["Line"].tolist()[1:] == ["Bigrams", "Bigrams · b=0.5"]
    results = experiment_results(small.workspace, SLUG, 1)
    figure = results.lines[1].cells()[0].figure
    assert figures["Recall@1"][1].startswith(figure.text())
    assert (costs["Index, MB"] > 0).all()
    assert (costs[["Index calls", "Index tokens"]] == 0).all(axis=None)
    assert tests["Line"].tolist() == ["Bigrams", "Bigrams · b=0.5"]
    compared = results.lines[1].cells()[0].comparison
    assert compared is not None
    shown_p = tests["p"][0], tests["p, corrected (Holm)"][0]
    assert shown_p == (p_text(compared.p), p_text(compared.p_holm))
    assert len(table(at, "Difference from the strongest simple baseline")) > 1
    assert "all are equal" in shown(at), "of so few questions"
    assert len(at.get("download_button")) == 4 + 5  # of the experiment, and of the open table


def test_a_sweep_is_drawn_text_stays_text_and_a_reader_who_lost_the_right_is_told(small):
    hostile = TEXT.replace("name: Words\n", f"name: '{HOSTILE}'\n", 1)
    hostile = hostile.replace("On two questions.", f"'{HOSTILE}'")
    run_experiment(small.workspace, SLUG, hostile.replace("[0.5]", "[0.25, 0.5]"))
    at = opened(small)
    assert "\\<img" in shown(at) and "<img" not in shown(at).replace("\\<img", "")
    assert len(at.get("vega_lite_chart")) == 3  # all lines, the sweep of b, and the tests
    assert "Bigrams · b" in [each.value for each in at.header]
    chart = json.loads(at.get("vega_lite_chart")[0].proto.spec)
    assert {layer["encoding"]["y"]["title"] for layer in chart["layer"]} == {"Recall@1"}
    change_role(small.workspace, small.sora.id, "annotator")
    at = at.selectbox(key="experiments-start").select(1).run()
    assert "may not do this" in shown(at)


def test_a_stopped_one_is_taken_up_and_the_page_says_at_which_line_it_is(small, monkeypatch):
    told, go = threading.Event(), threading.Event()

    class Killed(BaseException):
        pass

    def stop(done, *_):
        if done == 1:
            raise Killed

    def slowly(*given, progress, **named):
        progress(1, 3, "Bigrams", 1, 2)
        told.set()
        assert go.wait(100)
        return run_experiment(*given, progress=progress, **named)

    with pytest.raises(Killed):
        run_experiment(small.workspace, SLUG, TEXT, progress=stop)
    monkeypatch.setattr("services.background.retrieval.run_experiment", slowly)
    monkeypatch.setattr("pages.shell.task_progress._SHORT", 0.05)
    at = opened(small)
    assert "2 lines have no run yet" in at.warning[0].value
    assert table(at, "Recall@1")["Recall@1"].tolist()[1:] == ["–", "–"]
    at = at.selectbox(key="experiments-start").select(1).run()
    assert written(at) == TEXT
    assert table(at, "Run")["Run"][0] == 1
    at = at.button(key="experiments-run").click().run()
    assert told.wait(100)
    at = at.run()
    assert not at.error
    assert at.button(key="experiments-run").disabled
    assert not at.warning  # nobody is to run the file again meanwhile
    bar = at.get("progress")[0].proto
    assert bar.value == 50
    assert "Words: Line 2 of 3 (Bigrams): 1 of 2" in bar.text.replace("\\", "")
    go.set()
    at = ended(at, small.workspace, SLUG, TaskKind.EXPERIMENT)
    assert "complete" in at.success[0].value and not at.warning
