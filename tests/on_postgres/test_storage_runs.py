from tests.storage.test_runs import *  # noqa: F403
