"""What is asked of a court case beyond its charge: factors, their sub-factors and options."""
