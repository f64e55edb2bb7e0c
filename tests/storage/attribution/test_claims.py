"""Which rows of claims and labels stand, and that a case is made once."""

from __future__ import annotations

from normalization.hashing import text_hash
from storage.attribution.claims import (
    FORM,
    Claim,
    Label,
    add_attribution_cases,
    attribution_cases,
    claims_json,
    labels_json,
    standing_claims,
    standing_labels,
)
from storage.db.columns import add_rows
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.tables.answers import AnswerClaims, ClaimLabels
from tests.projects.answer_rows import judge_case

CLAIMS = (Claim("A boat needs a lamp.", ("boats_3조",)), Claim("A raft does not."))


def claims(
    ws: Workspace, case_id: int | None, found: tuple[Claim, ...], state: str = "said"
) -> AnswerClaims:
    return AnswerClaims(
        project_id=1,
        case_id=case_id,
        question="q1",
        text_sha256=text_hash("text"),
        splitter=FORM,
        state=state,
        claims=claims_json(found),
        at=ws.clock(),
    )


def test_a_row_that_says_nothing_never_takes_the_place_of_one_that_says_something(ws) -> None:
    with ws.writing() as session:
        for state, found in (("failed", ()), ("cut_off", ()), ("said", CLAIMS), ("refused", ())):
            add_rows(session, [claims(ws, None, found, state)])
            (now,) = standing_claims(session, 1).values()
            assert now.state == ("said" if state == "refused" else state)
        assert now.claims == CLAIMS
        add_rows(session, [claims(ws, None, CLAIMS[:1])])
        (now,) = standing_claims(session, 1).values()
        assert now.claims == CLAIMS[:1]


def test_a_case_is_made_once_and_its_newest_labels_stand(ws) -> None:
    with ws.writing() as session:
        number = add_row(session, judge_case(ws.clock(), "q1", "model"))
        add_rows(session, [claims(ws, number, CLAIMS), claims(ws, None, CLAIMS[:1])])
        predicted, gold = standing_claims(session, 1).values()
        pair = predicted, gold
        (made,) = add_attribution_cases(session, 1, [pair, pair], ws.clock())
        assert add_attribution_cases(session, 1, [pair], ws.clock()) == []
        assert attribution_cases(session, 1) == [made]
        kept = made.case_id, made.predicted.claims, made.gold.claims
        assert kept == (number, CLAIMS, CLAIMS[:1])
        said = (Label("match", 0, True, ((1, "partial"),)), Label("none"))
        assert said[0].relations == ((0, "match"), (1, "partial"))
        assert said[1].relations == ()
        for labels in ((), said):
            row = ClaimLabels(
                attribution_case_id=made.id,
                judge="judge",
                state="said" if labels else "unread",
                labels=labels_json(labels),
                at=ws.clock(),
            )
            add_rows(session, [row])
        (now,) = standing_labels(session, 1).values()
        assert (now.state, now.labels) == ("said", said)
