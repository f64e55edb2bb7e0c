"""The overview in words: fields by what they are called, and figures without an interval."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.work import commands
from evaluation.figure import Figure
from services.overview.report import AgreementLine, agreement_lines, overview
from services.overview.words import lines, no_interval_said, statistic_said
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


def line_of(tagged: TaggingHouse) -> AgreementLine:
    (line,) = agreement_lines(tagged.ws, SLUG, [Task.FACTOR_TAGGING])
    return line


def test_a_field_of_a_codebook_is_called_by_its_label(tagged: TaggingHouse) -> None:
    line = line_of(tagged)
    assert line.field == "manner" and line.fields > 1
    for language in ("en", "ko"):
        said = statistic_said(line, language)
        assert "(Manner of deceit," in said


def test_it_is_said_why_a_figure_has_no_interval(tagged: TaggingHouse) -> None:
    line = line_of(tagged)
    assert line.figure.low is None and line.figure.n == 2
    for language in ("en", "ko"):
        why = no_interval_said([line], language)
        assert why
        (told,) = [
            each for each in lines(overview(tagged.ws, SLUG), [line], language) if "[–]" in each
        ]
        assert why in told


@pytest.mark.parametrize(("n", "key"), [(1, "one item"), (5, "the same value")])
def test_the_reason_is_the_one_that_holds(n: int, key: str) -> None:
    line = AgreementLine(Task.CITATION_MAPPING, "", 1, "raw", Figure("raw", 1.0, n))
    assert key in no_interval_said([line], "en")


def test_a_figure_with_an_interval_needs_no_reason() -> None:
    figure = Figure("raw", 0.5, 9, 0.2, 0.8)
    line = AgreementLine(Task.CITATION_MAPPING, "", 1, "raw", figure)
    nothing = AgreementLine(Task.CURATION, "", 0, None, Figure("agreement", None, 0))
    assert no_interval_said([line, nothing], "en") == ""
