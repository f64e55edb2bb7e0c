"""Scripts around the product: setting up a checkout, writing generated pages."""
