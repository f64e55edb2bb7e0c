"""Which crimes there are, and which court cases belong together by charge and provision."""
