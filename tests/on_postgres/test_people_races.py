from tests.annotation.people.test_races import *  # noqa: F403
