from tests.services.judging.test_model_judging import *  # noqa: F403
