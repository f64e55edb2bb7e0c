from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from llm.budget import Limit
from llm.roles import Role
from llm.settings import Settings, read_settings
from tests.support.refusals import code_of

FILE = """
base_url = "http://localhost:8000/v1/"
model = "local-32b"
concurrency = 8
parameters = { temperature = 0 }

[judge]
base_url = "https://api.example.com/v1"
model = "big"
max_tokens = 8
price_in = 2.5
price_out = 10
requests_per_minute = 500

[embed]
model = "vectors"
parameters = {}

[budget]
money = 20
"""


def test_roles_take_what_they_do_not_set_from_the_top() -> None:
    settings = read_settings(FILE)
    assert set(settings.endpoints) == set(Role)
    solve, judge = settings.of(Role.SOLVE), settings.of(Role.JUDGE)
    assert (solve.base_url, solve.model) == ("http://localhost:8000/v1", "local-32b")
    assert (judge.base_url, judge.model, judge.max_tokens) == (
        "https://api.example.com/v1",
        "big",
        8,
    )
    assert judge.parameters == {"temperature": 0}
    assert settings.of(Role.EMBED).parameters == {}
    assert (judge.pace.concurrency, judge.pace.requests_per_minute) == (8, 500)
    assert judge.price.of(1_000_000, 1_000_000) == 12.5
    assert solve.price.of(1, 1) is None
    assert settings.budget == Limit(money=20)


def test_without_a_server_or_a_model_a_role_is_unset() -> None:
    settings = read_settings('[judge]\nmodel = "m"\n[solve]\nbase_url = "http://x/v1"\n')
    assert settings == Settings()
    assert code_of(settings.of, Role.JUDGE) == "models_role_unset"


@pytest.mark.parametrize(
    ("text", "code", "field"),
    [
        ("base_url = ", "models_unreadable", None),
        ("speed = 3", "models_setting", "speed"),
        ("[judge]\nspeed = 3", "models_setting", "judge.speed"),
        ("judge = 3", "models_setting", "judge"),
        ("concurrency = 0", "models_setting", "concurrency"),
        ("[judge]\ntimeout_s = nan", "models_setting", "judge.timeout_s"),
        ("[judge]\nprice_in = inf", "models_setting", "judge.price_in"),
        ("[budget]\ncalls = 0", "models_setting", "budget.calls"),
        ("[budget]\nhours = 1", "models_setting", "budget.hours"),
        ('base_url = "ftp://x"\nmodel = "m"', "models_setting", "draft_ocr.base_url"),
        ('base_url = "http://[x"\nmodel = "m"', "models_setting", "draft_ocr.base_url"),
        ('base_url = "x"\nmodel = "m"', "models_setting", "draft_ocr.base_url"),
        ("[solve]\nparameters = { n = 4 }", "models_setting", "solve.parameters.n"),
        ('api_key = "sk-secret"', "models_key_in_file", "api_key"),
        ('[judge]\nkey = "sk-secret"', "models_key_in_file", "judge.key"),
        (
            '[judge.parameters]\nAuthorization = "sk-secret"',
            "models_key_in_file",
            "judge.parameters.Authorization",
        ),
        (
            'model = "m"\nbase_url = "http://u:sk-secret@h/v1"',
            "models_key_in_file",
            "draft_ocr.base_url",
        ),
        (
            'model = "m"\nbase_url = "http://h/v1?k=sk-secret"',
            "models_key_in_file",
            "draft_ocr.base_url",
        ),
        ('concurrency = "sk-secret"', "models_setting", "concurrency"),
    ],
)
def test_what_is_wrong_is_named_and_no_key_repeated(
    text: str, code: str, field: str | None
) -> None:
    with pytest.raises(UserError) as caught:
        read_settings(text)
    assert (caught.value.code, caught.value.where.field) == (code, field)
    assert "sk-secret" not in str(caught.value)


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    try:
        assert isinstance(read_settings(text), Settings)
    except UserError as error:
        assert error.code.startswith("models_")


LOCAL = 'base_url = "local:/models"\nmodel = "small"\n'


def test_a_local_model_costs_nothing_and_takes_one_call_at_a_time() -> None:
    settings = read_settings(f"{LOCAL}concurrency = 8\n")
    solve = settings.of(Role.SOLVE)
    assert (solve.base_url, solve.model, solve.local) == ("local:/models", "small", True)
    assert (solve.pace.concurrency, solve.pace.attempts) == (1, 1)
    assert solve.price.of(1000, 1000) == 0.0
    assert set(settings.endpoints) == set(Role) - {Role.EMBED, Role.DRAFT_OCR}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('[embed]\nbase_url = "local:/models"\nmodel = "m"', "embed.base_url"),
        (f"{LOCAL}[judge]\nparameters = {{ min_p = 0.1 }}", "judge.parameters.min_p"),
        (f"{LOCAL}[judge]\nparameters = {{ top_p = 0 }}", "judge.parameters.top_p"),
        (f"{LOCAL}[judge]\nparameters = {{ temperature = true }}", "judge.parameters.temperature"),
    ],
)
def test_what_a_local_model_cannot_do_is_refused(text: str, field: str) -> None:
    with pytest.raises(UserError) as caught:
        read_settings(text)
    assert (caught.value.code, caught.value.where.field) == ("models_setting", field)
