"""Rankings and answers in, figures with intervals out. Pure."""
