from tests.storage.test_projects import *  # noqa: F403
