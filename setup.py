"""What the wheel has beside the floors: the settings of the app's server; see pyproject.toml."""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SETTINGS = Path(".streamlit", "config.toml")


class WithSettings(build_py):  # type: ignore[misc]
    """Build the packages, and put the settings where ``touchstone serve`` finds them."""

    def run(self) -> None:
        """Copy what the checkout keeps at its top into the floor that serves."""
        super().run()
        target = Path(self.build_lib, "serving", *SETTINGS.parts)
        self.mkpath(str(target.parent))
        self.copy_file(str(SETTINGS), str(target))


setup(cmdclass={"build_py": WithSettings})
