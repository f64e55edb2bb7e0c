from tests.annotation.batches.test_commands import *  # noqa: F403
