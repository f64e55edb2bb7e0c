from tests.storage.mcq.test_questions import *  # noqa: F403
