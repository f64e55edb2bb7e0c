from tests.annotation.test_practice import *  # noqa: F403
