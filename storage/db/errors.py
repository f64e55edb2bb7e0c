"""Which errors of a database a user can mend, and under which code of the word catalogue."""

from __future__ import annotations

from sqlalchemy.exc import TimeoutError as PoolTimeoutError

# What SQLite says, and the user's error that it means.
_FILE = {
    "file is not a database": "database_unreadable",
    "disk image is malformed": "database_unreadable",
    "database is locked": "database_busy",
    "database or disk is full": "disk_full",
    "readonly database": "database_readonly",
    "unable to open database file": "database_unopened",
}
# PostgreSQL's SQLSTATE, by its longest known beginning.
_SERVER = {
    "08": "database_unreachable",
    "22021": "text_unstorable",
    "25006": "database_readonly",
    "25P03": "database_busy",
    "28": "database_refused",
    "3D000": "database_absent",
    "40001": "database_busy",
    "40P01": "database_busy",
    "42501": "database_readonly",
    "53100": "disk_full",
    "53": "database_busy",
    "55P03": "database_busy",
    "57P": "database_unreachable",
}
# What the driver says where there is no SQLSTATE: when it cannot connect, or refuses a value.
_DRIVER = {
    "authentication failed": "database_refused",
    "no password supplied": "database_refused",
    "no pg_hba.conf entry": "database_refused",
    '" does not exist': "database_absent",
    "too many clients": "database_busy",
    "connection": "database_unreachable",
    "NUL (0x00)": "text_unstorable",
    "server closed": "database_unreachable",
}


def code_of(error: Exception) -> str | None:
    """Return the code of the error that a user can mend; None for a defect of ours."""
    if isinstance(error, PoolTimeoutError):
        return "database_busy"
    cause = getattr(error, "orig", None) or error
    if not type(cause).__module__.startswith("psycopg"):
        return _said(_FILE, str(cause))
    state = getattr(cause, "sqlstate", None)
    if state is None:
        return _said(_DRIVER, str(cause))
    return next((_SERVER[state[:n]] for n in (5, 3, 2) if state[:n] in _SERVER), None)


def _said(known: dict[str, str], heard: str) -> str | None:
    return next((code for said, code in known.items() if said in heard), None)
