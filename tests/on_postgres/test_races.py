from tests.annotation.work.test_races import *  # noqa: F403
