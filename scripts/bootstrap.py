"""Prepare this checkout to run or to be tested, with nothing but the standard library.

``bootstrap.py run`` makes ``.venv`` and installs the pinned requirements; ``bootstrap.py test``
adds the development requirements and finds or installs a Chromium, PostgreSQL and nginx. Both find
or install Tesseract, which drafts the text of page images. ``bootstrap.py loaders`` makes
``.venv-loaders`` with the tools that load a release. Every step says what it does, is skipped when
it has nothing to do, and ends with a plain message when something is missing.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
OLDEST = (3, 11)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DEBIAN_PACKAGES = ("chromium", "fonts-noto-cjk")
TESSERACT_PACKAGES = ("tesseract-ocr", "tesseract-ocr-kor")
DEVELOPMENT = "requirements-dev.txt"
LOADERS = "requirements-loaders.txt"  # their own versions: they clash with ours
# Tests import a small part of what is installed, and Python compiles that part as it is imported.
_FOR_TESTS = ("--no-compile",)


class MissingError(Exception):
    """Something this machine lacks; the message says what and how to get it."""


def say(text: str) -> None:
    """Print one line about what is being done."""
    print(f"touchstone: {text}", flush=True)  # noqa: T201


def make_venv(venv: Path | None = None) -> None:
    """Create a virtual environment, ``.venv`` unless told, unless it works already."""
    venv = venv or VENV
    if (venv / "bin" / "python").exists() and _succeeds(
        venv / "bin" / "python", "-m", "pip", "--version"
    ):
        return
    say(f"creating {venv.name}")
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)], check=True)  # noqa: S603
    except subprocess.CalledProcessError as error:
        raise MissingError(
            "Python's venv module does not work here. "
            "On Debian or Ubuntu install it with: apt-get install python3-venv"
        ) from error


def install(requirements: str, venv: Path | None = None) -> None:
    """Install a requirements file once per content of it and of the constraints."""
    venv = venv or VENV
    files = [ROOT / requirements, ROOT / "requirements.txt", ROOT / "constraints.txt"]
    digest = hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()
    stamp = venv / f".installed-{requirements}"
    if stamp.exists() and stamp.read_text() == digest:
        return
    say(f"installing {requirements} (some minutes the first time)")
    python = str(venv / "bin" / "python")
    command = [python, "-m", "pip", "install", "--disable-pip-version-check", "-q"]
    command += _FOR_TESTS if requirements != "requirements.txt" else ()
    command += ["-r", str(ROOT / requirements)]
    command += ["-c", str(ROOT / "constraints.txt")] if venv == VENV else ()
    if subprocess.run(command).returncode:  # noqa: S603
        raise MissingError(f"pip could not install {requirements}: see its message above.")
    stamp.write_text(digest)


def find_browser() -> str | None:
    """Return the path of a Chromium, or None. $TOUCHSTONE_CHROMIUM names one outright."""
    named = os.environ.get("TOUCHSTONE_CHROMIUM")
    if named:
        return named
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def provide_browser() -> None:
    """Install a Chromium for the browser tests where none is found."""
    if find_browser() or _playwright_browser():
        return
    install_packages(*DEBIAN_PACKAGES)
    if not find_browser():
        say("installing Playwright's Chromium")
        subprocess.run([str(VENV_PYTHON), "-m", "playwright", "install", "chromium"])  # noqa: S603
    if not (find_browser() or _playwright_browser()):
        raise MissingError(
            "No Chromium was found and none could be installed. Install one "
            "(Debian: apt-get install chromium fonts-noto-cjk) or name it in $TOUCHSTONE_CHROMIUM."
        )


def find_postgres() -> str | None:
    """Return PostgreSQL's ``initdb``, or None. Debian keeps it off the PATH."""
    there = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(there, key=lambda path: int(path.parts[-3]), default=None)
    return str(newest) if newest else shutil.which("initdb")


def find_nginx() -> str | None:
    """Return nginx, or None. Debian keeps it off the PATH of everybody but root."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


SERVERS = {"postgresql": find_postgres, "nginx-light": find_nginx}  # by Debian package


def provide_servers() -> None:
    """Install the servers that some tests start; where that cannot be, say what is left out."""
    lacking = [package for package, find in SERVERS.items() if find() is None]
    if lacking:
        install_packages(*lacking)
    for package in lacking:
        if SERVERS[package]() is None:
            say(
                f"{package} is absent: the tests that need it are skipped and say so. "
                f"On Debian or Ubuntu install it with: apt-get install {package}"
            )


def has_tesseract() -> bool:
    """Whether Tesseract is here and reads Korean and English."""
    program = shutil.which("tesseract")
    if program is None:
        return False
    listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True)  # noqa: S603
    return {"kor", "eng"} <= set((listed.stdout + listed.stderr).split())


def provide_tesseract() -> None:
    """Install Tesseract; where that cannot be, say what is left out."""
    if has_tesseract():
        return
    install_packages(*TESSERACT_PACKAGES)
    if not has_tesseract():
        say(
            "Tesseract is absent: nothing drafts the text of page images, which are typed by hand "
            "or read by a vision model. On Debian or Ubuntu install it with: apt-get install "
            + " ".join(TESSERACT_PACKAGES)
        )


def install_packages(*names: str) -> None:
    """Install Debian packages where this is root's own Debian; elsewhere do nothing."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    say(f"installing Debian packages: {', '.join(names)}")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-q"], ["install", "-y", "-q", *names]):
        subprocess.run(["apt-get", *arguments], env=environment, stdout=subprocess.DEVNULL)  # noqa: S603, S607


def _playwright_browser() -> bool:
    probe = (
        "from pathlib import Path; from playwright.sync_api import sync_playwright as s\n"
        "with s() as p: raise SystemExit(not Path(p.chromium.executable_path).exists())"
    )
    return _succeeds(VENV_PYTHON, "-c", probe)


def _succeeds(*command: str | Path) -> bool:
    """Return True if a command succeeds."""
    done = subprocess.run([str(c) for c in command], capture_output=True)  # noqa: S603
    return done.returncode == 0


def main(purpose: str) -> int:
    """Prepare for `purpose` (``run``, ``test`` or ``loaders``); return an exit code."""
    try:
        if sys.version_info < OLDEST:
            raise MissingError(
                f"Python {OLDEST[0]}.{OLDEST[1]} or newer is needed; this is "
                f"{sys.version.split()[0]}. Install one, then: make PYTHON=/path/to/python"
            )
        if purpose == "loaders":
            make_venv(ROOT / ".venv-loaders")
            install(LOADERS, ROOT / ".venv-loaders")
            say("ready to load a release")
            return 0
        make_venv()
        install("requirements.txt" if purpose == "run" else DEVELOPMENT)
        provide_tesseract()
        if purpose == "test":
            provide_browser()
            provide_servers()
    except MissingError as missing:
        say(f"cannot go on. {missing}")
        return 1
    say(f"ready to {purpose}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1] if len(sys.argv) > 1 else "run"))
