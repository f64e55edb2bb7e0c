from tests.jobs.test_export_gold import *  # noqa: F403
