"""Agreement on the claims of answers: by criterion, each claim a thing rated."""

from __future__ import annotations

from annotation.agreement.known_forms import KnownForm, set_known_forms
from annotation.agreement.report import report, totals
from storage.tables.core import Item
from storage.tasks import Task
from tests.projects.attribution_review_project import SAID, SLUG, build, submitted


def test_each_criterion_has_its_statistics_over_claims(tmp_path, clock) -> None:
    house = build(tmp_path / "w", clock)
    for at, item in enumerate(house.items):
        submitted(house, house.ann, item)
        other = {"label_2": "none", "gold_2": None, "supported_1": "no"} if at == 0 else {}
        submitted(house, house.ben, item, **other)
    (table,) = totals(house.ws, SLUG, task=Task.ATTRIBUTION)
    assert table.items == 3
    found = {(row.names[0], row.finding.statistic): row.finding.figure for row in table.rows}
    raw = found["label", "raw"]
    assert (raw.value, raw.n) == (8 / 9, 9)  # nine claims of three answers
    assert found["supported", "raw"].value == 8 / 9
    kappa = found["label", "cohen_kappa"].value
    # Ann 3/9 of each label; Ben 3, 2, 4: (8/9 - 27/81) / (1 - 27/81)
    assert kappa is not None
    assert abs(kappa - (8 / 9 - 1 / 3) / (2 / 3)) < 1e-9
    assert {name for name, _ in found} == {"label", "supported"}
    parts = {table.part.value for table in report(house.ws, SLUG, task=Task.ATTRIBUTION).tables}
    assert {"statistics", "pairs", "categories"} <= parts


def test_a_known_answer_is_what_an_adjudicator_could_decide(tmp_path, clock) -> None:
    house = build(tmp_path / "w", clock)
    with house.ws.reading() as session:
        name = session.get_one(Item, house.items[0]).external_id or ""
    known = [KnownForm(name, dict(SAID), "The fine is another.")]
    assert set_known_forms(house.ws, SLUG, Task.ATTRIBUTION, known) == 1
