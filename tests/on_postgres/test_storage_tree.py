from tests.storage.law.test_units import *  # noqa: F403
