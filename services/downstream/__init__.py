"""Services for downstream accuracy: how much contexts help a model to answer."""
