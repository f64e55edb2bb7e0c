from tests.services.mapping.test_candidates import *  # noqa: F403
