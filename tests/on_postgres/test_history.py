from tests.annotation.history.test_reading import *  # noqa: F403
