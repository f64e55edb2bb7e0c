"""Imports what the app and its commands import, also what they leave until it is needed."""

from importlib import import_module
from pkgutil import walk_packages

import streamlit.web.bootstrap
import streamlit.web.cli  # noqa: F401

import app  # noqa: F401
import commands
import pages
import services
import touchstone  # noqa: F401

for package in (commands, services, pages):
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        import_module(found.name)
