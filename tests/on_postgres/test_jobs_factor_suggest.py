from tests.services.tagging.test_suggestions import *  # noqa: F403
