"""What the version before the house was re-laid kept and wrote, and tests that it still does.

``python -m tests.version_before`` writes three things into ``tests/fixtures/version_before``: a
workspace with work in every task, what the command line exports of it, and the names of all
commands and options. Do that only where a file or a figure is meant to change, and say so: what
stands there was written by the version before. A command or an option that had to change is entered
under its old name in `test_commands.RENAMED`, and stays in the list.
"""
