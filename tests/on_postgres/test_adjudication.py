from tests.annotation.adjudication.test_disputes import *  # noqa: F403
