from tests.annotation.test_gold import *  # noqa: F403
