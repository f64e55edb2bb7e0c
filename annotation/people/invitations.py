"""Invitations and password resets: links that can be used once.

The secret in a link is shown once, to who makes it; only its SHA-256 is stored (it has 256 random
bits, so a slow hash would add nothing). An invitation is an `invitation` row; a password reset is
an event of the account, void after a newer one of its kind, a new password, or a deactivation.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlmodel import Session, col, select

from annotation.people.accounts import (
    AccountView,
    account_view,
    active_account,
    checked_password,
    hashed,
    make_account,
    note_account,
    require_steward,
)
from annotation.people.members import checked_name, checked_role, enter
from annotation.people.roles import Act, reading_as, require, require_by, writing_as
from errors import UserError, Where
from normalization.hashing import text_hash
from storage.db.columns import usable_id, view_of
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.tables.core import Account, Person, Project
from storage.tables.people import AccountEvent, Invitation

DAYS = range(1, 61)
NOTE_LIMIT = 200
MOST_AT_ONCE = 50
RESET_LASTS = timedelta(days=2)
_RESET_VOIDING = ("reset_offered", "password", "deactivated")

State = Literal["open", "taken", "revoked", "expired"]


@dataclass(frozen=True, slots=True)
class InvitationView:
    """An invitation; `person` is who took it, `by` who made it (None: the operator)."""

    id: int
    project: str
    role: str
    note: str
    state: State
    created_at: datetime
    expires_at: datetime
    person: str | None
    by: str | None


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """Result of one line of a batch of invitations: its secret, or the error."""

    note: str
    secret: str = ""
    error: UserError | None = None


@dataclass(frozen=True, slots=True)
class Newcomer:
    """The data of somebody without an account who takes an invitation.

    They sign in with `password`, or through the identity provider's `subject`.
    """

    login: str
    name: str
    password: str | None = None
    subject: str | None = None


def invite(
    ws: Workspace,
    project_slug: str,
    role: str,
    note: str = "",
    days: int = 7,
    by: int | None = None,
) -> tuple[InvitationView, str]:
    """Make an invitation; return it and its secret, which is stored nowhere.

    It can be taken for `days` (1 to 60). Raises UserError for `by` without permission to manage
    people, an unknown role, and a number of days or a note out of bounds.
    """
    role, note = checked_role(role), " ".join(note.split())
    if days not in DAYS:
        raise UserError("invitation_days", Where(field="days"), days=days)
    if not _is_valid_note(note):
        raise UserError("invitation_note", Where(field="note"), limit=NOTE_LIMIT)
    secret = secrets.token_urlsafe(32)
    with writing_as(ws, project_slug, by, Act.MANAGE_PEOPLE) as (session, project, _):
        now = ws.clock()
        row = Invitation(
            project_id=project.id,
            role=role,
            note=note,
            secret_hash=text_hash(secret),
            by_person_id=by,
            created_at=now,
            expires_at=now + timedelta(days=days),
        )
        add_row(session, row)
        return _view(session, row, now), secret


def invite_each(
    ws: Workspace, project_slug: str, role: str, lines: str, days: int = 7, by: int | None = None
) -> list[LineOutcome]:
    """Make an invitation for each non-empty line, which is its note; return the result of each.

    A line fails alone: for a note out of bounds, or a duplicate. Without any text, one invitation
    without a note is made. Raises UserError for more than `MOST_AT_ONCE` lines, and for all that
    :func:`invite` refuses but a note.
    """
    notes = [(at, " ".join(line.split())) for at, line in enumerate(lines.split("\n"), 1)]
    notes = [(at, note) for at, note in notes if note] or [(1, "")]
    if len(notes) > MOST_AT_ONCE:
        raise UserError("invitations_many", Where(field="note"), count=len(notes))
    outcomes: list[LineOutcome] = []
    for at, note in notes:
        where = Where(line=at)
        if not _is_valid_note(note):
            error = UserError("invitation_note", where, limit=NOTE_LIMIT)
            outcomes.append(LineOutcome(note, error=error))
        elif any(note == each.note for each in outcomes):
            outcomes.append(LineOutcome(note, error=UserError("invitation_twice", where)))
        else:
            outcomes.append(LineOutcome(note, invite(ws, project_slug, role, note, days, by)[1]))
    return outcomes


def _is_valid_note(note: str) -> bool:
    return len(note) <= NOTE_LIMIT and note.isprintable()


def list_invitations(
    ws: Workspace, project_slug: str, by: int | None = None
) -> list[InvitationView]:
    """Return the project's invitations, newest first."""
    with reading_as(ws, project_slug, by, Act.MANAGE_PEOPLE) as (session, project, _):
        query = select(Invitation).where(Invitation.project_id == project.id)
        rows = session.exec(query.order_by(col(Invitation.id).desc()))
        return [_view(session, row, ws.clock()) for row in rows]


def revoke(ws: Workspace, invitation_id: int, by: int | None = None) -> None:
    """Revoke an open invitation. Raises UserError for one that is not open."""
    with ws.writing() as session:
        row = session.get(Invitation, usable_id(invitation_id))
        if row is None:
            raise UserError("invitation_unusable")
        require_by(session, row.project_id, by, Act.MANAGE_PEOPLE)
        now = ws.clock()
        if _state(row, now) != "open":
            raise UserError("invitation_unusable")
        row.revoked_at = now
        session.add(row)


def open_invitation(ws: Workspace, secret: str) -> InvitationView:
    """Return the open invitation of that secret. Raises UserError if there is none."""
    with ws.reading() as session:
        row = _open_invitation(session, secret, ws.clock())
        return _view(session, row, ws.clock())


def take_as_newcomer(ws: Workspace, secret: str, who: Newcomer) -> AccountView:
    """Take an invitation by making an account; return it.

    Raises UserError for an invitation that is not open, for what `annotation.people.accounts`
    refuses, for a name taken in the project, and without either password or subject.
    """
    if who.password is None and who.subject is None:
        raise UserError("password_missing", Where(field="password"))
    with ws.writing() as session:
        now = ws.clock()
        row = _open_invitation(session, secret, now)
        made = make_account(session, who.login, who.name, who.password, now, subject=who.subject)
        _admit(session, row, made.id, checked_name(who.name), now)
        return made


def take_as(ws: Workspace, secret: str, account_id: int) -> AccountView:
    """Take an invitation with the signed-in account.

    Raises UserError for an invitation that is not open, an account that is in the project already
    (also a deactivated one, which only an administrator can reactivate), and if its name is taken
    in the project.
    """
    with ws.writing() as session:
        now = ws.clock()
        row = _open_invitation(session, secret, now)
        account = session.get(Account, usable_id(account_id))
        if account is None or not account.active:
            raise UserError("sign_in_refused")
        here = select(Person.id).where(
            Person.project_id == row.project_id, Person.account_id == account.id
        )
        if session.exec(here).first() is not None:
            raise UserError("invitation_here_already", login=account.login)
        _admit(session, row, usable_id(account.id), account.name, now)
        return account_view(account)


def offer_reset(ws: Workspace, login: str, by: int | None = None) -> str:
    """Return a secret with which the account's owner can set a new password, within two days.

    `by` is a steward's account, None the operator. It voids earlier secrets, and itself once used.
    """
    with ws.writing() as session:
        require_steward(session, by)
        row = active_account(session, login)
        token, now = secrets.token_urlsafe(32), ws.clock()
        until = (now + RESET_LASTS).isoformat()
        kept = {"secret_hash": text_hash(token), "expires_at": until}
        return f"{note_account(session, row, 'reset_offered', by, now, kept)}.{token}"


def reset_login(ws: Workspace, secret: str) -> str:
    """Return the login that this secret resets; raise UserError if it is void."""
    with ws.reading() as session:
        return _account_to_reset(session, secret, ws.clock()).login


def reset(ws: Workspace, secret: str, password: str) -> AccountView:
    """Set a new password for the account of this secret, and sign it out everywhere."""
    with ws.writing() as session:
        now = ws.clock()
        row = _account_to_reset(session, secret, now)
        row.password_hash = hashed(checked_password(password, row.login))
        session.add(row)
        note_account(session, row, "password", row.id, now, {"reset": True})
        return account_view(row)


def _admit(session: Session, row: Invitation, account_id: int, name: str, at: datetime) -> None:
    """Enter the invited person into the project and mark the invitation as taken."""
    person = enter(
        session, row.project_id, name, row.role, at, row.by_person_id, account_id=account_id
    )
    row.person_id = person.id
    session.add(row)


def _open_invitation(session: Session, secret: str, now: datetime) -> Invitation:
    """Return the open invitation of a secret; UserError if none, or its maker may not invite."""
    query = select(Invitation).where(Invitation.secret_hash == text_hash(secret))
    row = session.exec(query).first()
    if row is None or _state(row, now) != "open":
        raise UserError("invitation_unusable")
    if row.by_person_id is not None:
        try:
            require(session, row.by_person_id, Act.MANAGE_PEOPLE)
        except UserError:  # its maker may no longer invite
            raise UserError("invitation_unusable") from None
    return row


def _state(row: Invitation, now: datetime) -> State:
    """Return whether an invitation is taken, revoked, open or expired."""
    if row.person_id is not None:
        return "taken"
    if row.revoked_at is not None:
        return "revoked"
    return "open" if now < row.expires_at else "expired"


def _account_to_reset(session: Session, secret: str, now: datetime) -> Account:
    """Return the account whose password a secret resets. Raises UserError if it is void."""
    number, _, token = secret.partition(".")
    usable = number.isascii() and number.isdigit() and len(number) < 19
    event = session.get(AccountEvent, usable_id(int(number))) if usable else None
    if event is None or event.kind != "reset_offered":
        raise UserError("reset_unusable")
    newer = select(AccountEvent.id).where(
        AccountEvent.account_id == event.account_id,
        col(AccountEvent.kind).in_(_RESET_VOIDING),
        col(AccountEvent.id) > usable_id(event.id),
    )
    account = session.get_one(Account, event.account_id)
    fits = secrets.compare_digest(str(event.payload["secret_hash"]), text_hash(token))
    expired = now >= datetime.fromisoformat(str(event.payload["expires_at"]))
    if not fits or expired or not account.active or session.exec(newer).first() is not None:
        raise UserError("reset_unusable")
    return account


def _view(session: Session, row: Invitation, now: datetime) -> InvitationView:
    """Return an invitation with the names of its project and people."""

    def name(person_id: int | None) -> str | None:
        """Return a person's name, None for none."""
        return None if person_id is None else session.get_one(Person, person_id).name

    return view_of(
        InvitationView,
        row,
        project=session.get_one(Project, row.project_id).title,
        state=_state(row, now),
        person=name(row.person_id),
        by=name(row.by_person_id),
    )
