"""Drawing the data of `evaluation.figures` as SVG and PNG; equal data give equal bytes."""
