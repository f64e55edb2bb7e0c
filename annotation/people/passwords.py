"""Passwords: what is accepted as one, and their argon2id hashes.

The parameters are the second recommended ones of RFC 9106 (section 4): 3 passes over 64 MiB in 4
lanes. A hash says which it was made with; `verify` tells when they have moved on.
"""

from __future__ import annotations

import threading
import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from errors import UserError, Where

SHORTEST, LONGEST = 12, 1_000  # characters
HASHER = PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=4)
_AT_ONCE = threading.BoundedSemaphore(4)  # 64 MiB each: a crowd at the door takes turns


def checked_password(password: str, login: str) -> str:
    """Return the password as it is hashed; raise UserError for one that is too easy.

    It has 12 to 1,000 characters and is not the login. No kinds of characters are asked for
    (NIST SP 800-63B, section 5.1.1.2); equal letters in other encodings are one (NFKC).
    """
    password = unicodedata.normalize("NFKC", password)
    if not SHORTEST <= len(password) <= LONGEST:
        limits = {"shortest": SHORTEST, "longest": LONGEST}
        raise UserError("password_length", Where(field="password"), **limits)
    if password.casefold().strip() == login.casefold():
        raise UserError("password_login", Where(field="password"))
    return password


def hashed(password: str) -> str:
    """Return the argon2id hash of a password, with its salt and parameters."""
    with _AT_ONCE:
        return HASHER.hash(password)


def verify(stored: str | None, password: str) -> bool:
    """Return whether the password is the hashed one; without a hash, after as long, False."""
    password = unicodedata.normalize("NFKC", password)[: LONGEST + 1]
    try:
        with _AT_ONCE:
            return HASHER.verify(stored or _nobodys(), password) and stored is not None
    except (VerificationError, InvalidHashError):
        return False


def is_outdated(stored: str) -> bool:
    """Return whether the hash was made with other parameters than today's."""
    return HASHER.check_needs_rehash(stored)


@cache
def _nobodys() -> str:
    """Return the hash that a login nobody has is compared with, so that it takes as long."""
    return HASHER.hash("the password of nobody")
