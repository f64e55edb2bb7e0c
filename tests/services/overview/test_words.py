"""The overview in words: which batch is late, where people agree, figures without an interval."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from annotation.batches.views import BatchState
from annotation.work import commands
from evaluation.figure import Figure
from messages import say
from services.law.activation import ToCheckCounts
from services.overview.progress import LastRuns, PersonShare, WorkLine
from services.overview.questions import NextStep, Questions
from services.overview.report import AgreementLine, Overview, agreement_lines
from services.overview.words import agreement_section, as_report, work_section
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.projects.tagging_project import SLUG, TaggingHouse, answer, build, value


@pytest.fixture
def tagged(tmp_path: Path, clock: FakeClock) -> TaggingHouse:
    """Two people who differ on how the offence was done, over two cases."""
    house = build(tmp_path / "workspace", clock)
    for item, insane in zip(house.items, ("not_mentioned", "claimed_accepted"), strict=False):
        for person, manners in ((house.ann, ("manner_01",)), (house.ben, ("manner_02",))):
            said = [("deceived", value("yes")), ("manner", value(*manners))]
            answer(house, person, item, [*said, ("insanity", value(insane))])
            commands.submit(house.ws, person, item)
    return house


def test_a_field_of_a_codebook_is_called_by_its_label(tagged: TaggingHouse) -> None:
    (line,) = agreement_lines(tagged.ws, SLUG, [Task.FACTOR_TAGGING])
    assert line.field == "manner" and line.fields > 1
    assert line.figure.low is None and line.figure.n == 2
    section = agreement_section([line], "en")
    (row,) = section.table().rows
    assert "(Manner of deceit," in str(row[1])
    assert say("overview.no_interval_same") in section.notes


def test_why_a_figure_has_no_interval_is_said_and_one_that_has_it_needs_no_reason() -> None:
    for n, key in ((1, "no_interval_one"), (5, "no_interval_same")):
        notes = agreement_section([agreed(1.0, n)], "en").notes
        assert say(f"overview.{key}") in notes and len(notes) == 2
    nothing = AgreementLine(Task.CURATION, "", 0, None, Figure("agreement", None, 0))
    section = agreement_section([agreed(0.5, 9, 0.2, 0.8), nothing], "en")
    assert len(section.notes) == 1 and len(section.sheet.rows) == 1
    assert section.lead == say("overview.no_figures", tasks="Curation"), "nine items are too few"


def test_tasks_are_set_against_one_another_where_ten_items_or_more_were_agreed_on() -> None:
    other = agreed(0.2, 12, 0.1, 0.3, task=Task.CURATION)
    lead = agreement_section([agreed(0.9, 3), agreed(0.5, 10, 0.2, 0.8), other], "en").lead
    assert lead == (
        "People agree most on Citation mapping (0.500 [0.200, 0.800], n = 10)"
        " and least on Curation (0.200 [0.100, 0.300], n = 12)."
        " Their intervals overlap: the order may be chance."
    )
    apart = agreement_section([agreed(0.5, 10, 0.4, 0.8), other], "en").lead
    assert apart.endswith("n = 12).")
    assert agreement_section([other], "en").lead.startswith("Agreement on Curation (0.200")


def test_error_rates_are_no_marks_on_the_line_of_agreement() -> None:
    rate = AgreementLine(Task.OCR_CORRECTION, "", 1, "cer", Figure("cer", 0.1, 20, 0.0, 0.2))
    assert agreement_section([rate], "en").chart is None
    chart = agreement_section([rate, agreed(0.5, 10, 0.2, 0.8)], "en").chart
    assert chart is not None and chart.values == ("chance",)


@pytest.mark.parametrize(
    ("state", "end", "pace", "said"),
    [
        ("late", None, None, "is past its deadline of 2026-11-30: 6 submissions are left"),
        ("open", date(2026, 12, 1), 2.0, "will miss its deadline of 2026-11-30: at this pace"),
        ("open", date(2026, 11, 30), 2.0, "is on time: at this pace it is done on 2026-11-30"),
        ("open", None, None, "is due on 2026-11-30; there is not enough data yet"),
    ],
)
def test_a_sentence_says_whether_a_batch_is_late(
    state: BatchState, end: date | None, pace: float | None, said: str
) -> None:
    whole = worked(batch="", deadline=None, state="open")
    batch = worked(state=state, end=end, pace=pace)
    found = overview_of(whole, batch)
    section = work_section(found, "en")
    assert "2 of 5 items are complete, with 4 of 10 submissions." in section.lead
    assert f"Batch “Round 1” {said}" in section.lead
    row = as_report(found, [], "en").as_json()["work"][1]
    assert (row["complete"], row["partly"], row["untouched"]) == (2, 1, 2)
    assert row["batch"] == "Round 1" and row["deadline"] == "2026-11-30"


def test_the_task_with_the_least_of_its_submissions_is_the_furthest_behind() -> None:
    first = worked(batch="", deadline=None, state="open")
    other = worked(batch="", deadline=None, state="open", task=Task.CURATION, made=1)
    found = overview_of(first, other)
    assert "Furthest behind: Curation (1 of 10 submissions)." in work_section(found, "en").lead
    alone = overview_of(first)
    assert "Furthest" not in work_section(alone, "en").lead, "one task is behind nothing"


def overview_of(*work: WorkLine) -> Overview:
    """Return the overview of a project with this work alone."""
    doubt, runs = ToCheckCounts(0, 0, 0, 0, 0), LastRuns((), 0, 0)
    return Overview(NextStep("wait", 6), work, {}, doubt, Questions({}), runs, {})


def agreed(value: float, n: int, *ends: float, task: Task = Task.CITATION_MAPPING) -> AgreementLine:
    """Return a task's agreement."""
    return AgreementLine(task, "", 1, "cohen_kappa", Figure("agreement", value, n, *ends))


def worked(**more: Any) -> WorkLine:
    """Return a task's or batch's line, with six submissions left."""
    about: dict[str, Any] = {
        "task": Task.CITATION_MAPPING, "batch": "Round 1", "batch_id": 1, "practice": False,
        "state": "open", "items": 5, "complete": 2, "partly": 1, "wanted": 10, "made": 4,
        "beyond": 0, "people": (PersonShare("Kim Ara", 4, 4, None),), "lately": 4, "days": 5,
        "pace": None, "end": None, "deadline": datetime(2026, 11, 30, tzinfo=UTC),
    }  # fmt: skip
    return WorkLine(**about | more)
