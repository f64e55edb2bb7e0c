"""Drawing of `evaluation.figures` data as SVG and PNG; equal data give equal bytes."""
