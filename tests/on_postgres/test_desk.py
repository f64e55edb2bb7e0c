from tests.annotation.test_desk import *  # noqa: F403
