"""The versions of the layers, what has become of each question, and who may restore one."""
