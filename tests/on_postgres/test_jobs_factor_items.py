from tests.jobs.test_factor_items import *  # noqa: F403
