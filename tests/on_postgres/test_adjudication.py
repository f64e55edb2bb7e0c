from tests.annotation.test_adjudication import *  # noqa: F403
