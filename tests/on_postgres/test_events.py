from tests.annotation.test_events import *  # noqa: F403
