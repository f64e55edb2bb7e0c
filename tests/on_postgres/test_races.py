from tests.annotation.test_races import *  # noqa: F403
