from tests.services.tagging.test_items import *  # noqa: F403
