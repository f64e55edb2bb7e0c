"""How far long work has come, for whoever waits for it."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with (done, total) while work goes on, and once at its end."""
