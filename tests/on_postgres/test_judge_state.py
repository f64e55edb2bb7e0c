from tests.annotation.test_judge_state import *  # noqa: F403
