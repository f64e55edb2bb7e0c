from tests.annotation.work.test_slots import *  # noqa: F403
