from tests.storage.test_llm_calls import *  # noqa: F403
