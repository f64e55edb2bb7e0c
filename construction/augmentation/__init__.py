"""Generation of questions by axes: the axes, the difficulty rubric, and governing provisions."""
