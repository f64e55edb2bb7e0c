"""One module per screen. Pages draw and forward; they decide nothing."""
