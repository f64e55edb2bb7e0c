"""Imports what the app and its commands import, also what they leave until it is needed."""

from importlib import import_module
from pkgutil import walk_packages

import pytest
import streamlit.web.bootstrap
import streamlit.web.cli  # noqa: F401

import app  # noqa: F401
import commands
import pages
import services
import touchstone  # noqa: F401
from messages import catalogue
from tests.support.app_start import compile_statements_once, read_certificates_once

for package in (commands, services, pages):
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        import_module(found.name)

catalogue()
once = pytest.MonkeyPatch()
compile_statements_once(once)
read_certificates_once(once)
