from tests.annotation.judging.test_state import *  # noqa: F403
