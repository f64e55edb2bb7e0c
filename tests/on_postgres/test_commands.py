from tests.annotation.mapping.test_commands import *  # noqa: F403
