from tests.annotation.guidelines.test_documents import *  # noqa: F403
