"""Questions written by axes: the axes, the rubric of difficulty, and what a cell demands."""
