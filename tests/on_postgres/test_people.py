from tests.annotation.test_people import *  # noqa: F403
