from tests.storage.models.test_llm_calls import *  # noqa: F403
