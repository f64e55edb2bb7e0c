from tests.services.gold.test_export import *  # noqa: F403
