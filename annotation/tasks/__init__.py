"""Tasks as declarations: the specification, its form, and the states that follow from it."""
