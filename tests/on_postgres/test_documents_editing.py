from tests.annotation.test_documents_editing import *  # noqa: F403
