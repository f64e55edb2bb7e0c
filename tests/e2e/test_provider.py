"""People who sign in through an OpenID provider, with the settings of docs/deploy.md."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from joserfc.jwk import RSAKey
from playwright.sync_api import Browser, Page, expect

from annotation.people import accounts
from storage.db.workspace import Workspace
from tests.e2e.harness import ROOT, running_app
from tests.e2e.people import SLOW, go_on
from tests.e2e.provider import CLIENT, METADATA, SECRET, Provider, running_provider
from tests.e2e.ready import command_line

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
BUTTON = "Sign in with your organisation"
ARA = {"sub": "7", "name": "Ara", "email": "ara@example.org", "email_verified": True}
BEN = ARA | {"sub": "8", "name": "Ben", "email": "ben@example.org"}


def settings(provider: Provider) -> str:
    """Return the settings of docs/deploy.md with the names and secrets of this test."""
    text = (ROOT / "docs" / "deploy.md").read_text("utf-8").split("```toml\n")[1].split("```")[0]
    for old, new in (
        ("https://touchstone.example.org/", "http://127.0.0.1:{port}/"),
        (f"https://id.example.org{METADATA}", f"{provider.issuer}{METADATA}"),
        ('client_secret = "…"', f'client_secret = "{SECRET}"'),
        ('cookie_secret = "…"', f'cookie_secret = "{"s" * 32}"'),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert tomllib.loads(text)["auth"]["client_id"] == CLIENT
    return text


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running_provider() as running:
        yield running


@pytest.fixture
def served(workspace: Path, tmp_path: Path, provider: Provider) -> Iterator[tuple[Path, str]]:
    """Serve the sample to a team that signs in at the provider; yield workspace and address."""
    home = tmp_path / "home"
    (home / ".streamlit").mkdir(parents=True)
    (home / ".streamlit" / "secrets.toml").write_text(settings(provider), "utf-8")
    variables = {"TOUCHSTONE_MODE": "team", "HOME": str(home)}
    with running_app(workspace, variables, entry="server.py") as address:
        yield workspace, address


def visitor(browser: Browser) -> Page:
    return browser.new_context(viewport={"width": 1440, "height": 900}).new_page()


def come(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name=BUTTON).click(timeout=SLOW)


def is_nobody(page: Page) -> None:
    expect(page.get_by_text("no such account here")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("link", name="Corpus")).to_have_count(0)


def invitation(folder: Path, address: str) -> str:
    said = command_line(folder, "person", "invite", "--role", "lawyer", "--address", address)
    assert said.returncode == 0, said.stderr
    return said.stdout.strip().splitlines()[-1]


def test_who_signs_in_at_the_provider_and_who_is_not_let_in(
    browser: Browser, served: tuple[Path, str], provider: Provider
) -> None:
    folder, address = served
    invited_in_out_and_deactivated(browser, folder, address, provider)
    only_a_verified_address_that_an_account_waits_for_is_matched(browser, folder, address, provider)
    a_token_that_another_key_signed_lets_nobody_in(browser, folder, address, provider)


def invited_in_out_and_deactivated(
    browser: Browser, folder: Path, address: str, provider: Provider
) -> None:
    link = invitation(folder, address)
    page = visitor(browser)
    provider.person = ARA
    come(page, address)
    is_nobody(page)
    page.goto(link)
    page.get_by_role("textbox", name="Name", exact=True).fill("Ara", timeout=SLOW)
    expect(page.get_by_label("Password", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Make an account and join").click()
    go_on(page, "en-01")
    assert page.request.get(f"{address}/_stcore/metrics").status == 200  # what strangers do not get
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name=BUTTON)).to_be_visible(timeout=SLOW)
    assert page.request.get(f"{address}/_stcore/metrics").status == 401
    page.reload()
    expect(page.get_by_role("button", name=BUTTON)).to_be_visible(timeout=SLOW)
    come(page, address)
    go_on(page, "en-01")
    (account,) = accounts.list_accounts(Workspace(folder))
    assert (account.login, account.has_provider, account.has_password) == (
        "ara@example.org",
        True,
        False,
    )
    accounts.set_active(Workspace(folder), account.login, False)
    page.goto(address)
    is_nobody(page)


def only_a_verified_address_that_an_account_waits_for_is_matched(
    browser: Browser, folder: Path, address: str, provider: Provider
) -> None:
    workspace = Workspace(folder)
    accounts.add_account(workspace, "ben@example.org", "Ben", None)
    accounts.add_account(workspace, "head@example.org", "Head", "four plain words here")
    for refused in (BEN | {"email_verified": False}, BEN | {"email": "head@example.org"}):
        provider.person = refused
        come(page := visitor(browser), address)
        is_nobody(page)
    with_provider = {each.login for each in accounts.list_accounts(workspace) if each.has_provider}
    assert with_provider == {ARA["email"]}
    provider.person = BEN
    come(page := visitor(browser), address)
    expect(page.get_by_text("You are not in any project.")).to_be_visible(timeout=SLOW)


def a_token_that_another_key_signed_lets_nobody_in(
    browser: Browser, folder: Path, address: str, provider: Provider
) -> None:
    accounts.add_account(Workspace(folder), "cho@example.org", "Cho", None)
    provider.person = BEN | {"sub": "10", "email": "cho@example.org"}
    provider.signing_key = RSAKey.generate_key(2048, parameters={"kid": "first"})
    page = visitor(browser)
    come(page, address)
    page.wait_for_url(f"{address}/**", timeout=SLOW)
    expect(page.get_by_role("button", name=BUTTON)).to_be_visible(timeout=SLOW)
    found = {each.login: each.has_provider for each in accounts.list_accounts(Workspace(folder))}
    assert found["cho@example.org"] is False
