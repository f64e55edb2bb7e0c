"""The rows of a standard group: what is asked, what is missing, what is alike."""

from construction.stricter.grouping import Grouping, grouping
from construction.stricter.keys import NOT_ASKED, Gap, Tagged, table
from construction.tagging.codebook import Codebook, Factor, Option, SubFactor


def sub(key, *options, **more):
    return SubFactor(key, {}, {}, tuple(Option(each, {}, {}) for each in options), **more)


CRASH = sub("crash", "yes", "no")
KIND = sub("kind", "car", "bicycle", "person", exclusive=False, when={"crash": ("yes",)})
HURT = sub("hurt", "badly", "lightly", when={"kind": ("person",)})
SORRY = sub("sorry", "yes", "no", required=False)
SCALE = sub("scale", "small", "large")
BOOK = Codebook(
    (
        Factor("traffic", {}, {}, ("traffic",), (CRASH, KIND, HURT)),
        Factor("common", {}, {}, ("*",), (SORRY,)),
        Factor("fraud", {}, {}, ("fraud.fraud",), (SCALE,)),
    ),
    ("hurt", "crash", "sorry", "scale", "kind"),
)
DRIVING = "traffic.driving"


def tagged(disputed=(), stale=(), **answers):
    said = {key: tuple(value.split()) for key, value in answers.items()}
    return Tagged(said, frozenset(disputed), frozenset(stale))


def rows(**cases):
    found = table(BOOK, DRIVING, dict(enumerate(cases.values())))
    return found


def test_columns_are_the_required_sub_factors_of_the_group_in_the_lawyers_order():
    found = rows()
    assert (found.columns, found.optional) == (("hurt", "crash", "kind"), ("sorry",))
    assert table(BOOK, "fraud.fraud", {}).columns == ("scale",)


def test_what_is_not_asked_is_alike():
    found = rows(a=tagged(crash="no"), b=tagged(crash="no", sorry="yes"))
    assert [row.answers for row in found.rows] == [((NOT_ASKED,), ("no",), (NOT_ASKED,))] * 2
    assert [row.optional for row in found.rows] == [(None,), (("yes",),)]
    assert grouping(found.codes()) == Grouping(3, ((0, 1),))


def test_an_answer_left_over_from_a_condition_that_holds_no_more_does_not_count():
    found = rows(a=tagged(crash="no", kind="person", hurt="badly"))
    assert found.rows[0].answers == ((NOT_ASKED,), ("no",), (NOT_ASKED,))


def test_several_options_are_the_same_in_any_order():
    one, other = "car person", "person car"
    found = rows(
        a=tagged(crash="yes", kind=one, hurt="badly"),
        b=tagged(crash="yes", kind=other, hurt="badly"),
    )
    assert found.rows[0].answers == found.rows[1].answers
    assert found.rows[0].answers[2] == ("car", "person")


def test_a_case_with_a_missing_answer_is_in_no_row_and_says_why():
    found = rows(
        a=tagged(),
        b=tagged(crash="yes", kind="car"),
        c=tagged(crash="yes", kind="person"),
        d=tagged(stale=["kind"], crash="yes", kind="car"),
    )
    assert [row.case for row in found.rows] == [1]
    assert found.gaps == {
        0: {"crash": Gap.UNANSWERED},
        2: {"hurt": Gap.UNANSWERED},
        3: {"hurt": Gap.STALE, "kind": Gap.STALE},
    }


def test_what_hangs_on_a_dispute_is_unknown_not_unasked():
    found = rows(a=tagged(disputed=["crash"], kind="car"))
    assert found.gaps == {0: dict.fromkeys(("hurt", "crash", "kind"), Gap.DISPUTED)}


def test_a_missing_optional_answer_keeps_no_case_out():
    found = rows(a=tagged(crash="no"), b=tagged(disputed=["sorry"], crash="no", sorry="yes"))
    assert found.gaps == {}
    assert [row.optional for row in found.rows] == [(None,), (None,)]
    assert found.all_codes().shape == (2, 4)
