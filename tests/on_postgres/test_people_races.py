from tests.annotation.test_people_races import *  # noqa: F403
