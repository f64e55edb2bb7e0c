from tests.annotation.test_commands import *  # noqa: F403
