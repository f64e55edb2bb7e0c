from tests.annotation.test_history import *  # noqa: F403
